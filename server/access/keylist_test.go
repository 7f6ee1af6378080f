package access

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ayumu/lobby/club"
)

const someKey = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl"

func TestListOfKeysIsRead(t *testing.T) {
	for _, c := range []struct {
		line string
		role club.Role
		name string
		says string // the error
	}{
		{line: someKey + " ana", role: club.RolePlayer, name: "ana"},
		{line: someKey + " ana at home", role: club.RolePlayer},
		{line: `role="owner" ` + someKey + " ana", role: club.RoleServerOwner, name: "ana"},
		{line: `role="moderator" ` + someKey, role: club.RoleModerator},
		{line: `role="king" ` + someKey, says: "keys:2: unknown option"},
		{line: `command="ls" ` + someKey, says: "keys:2: unknown option"},
		{line: "ssh-ed25519 garbage", says: "keys:2: not a public key"},
	} {
		list, err := parseKeyList("keys", []byte("# members\n"+c.line+"\n\n"))
		if c.says != "" {
			if err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%s: %v", c.line, err)
			}
			continue
		}
		if err != nil || len(list) != 1 {
			t.Fatalf("%s: %v, %v", c.line, list, err)
		}
		for _, e := range list {
			if e.Role != c.role || e.Name != c.name {
				t.Errorf("%s: %+v", c.line, e)
			}
		}
	}
}

// TestListOfKeysIsBounded: a list may have 4 MiB, also in one line.
func TestListOfKeysIsBounded(t *testing.T) {
	file := filepath.Join(t.TempDir(), "keys")
	if _, err := ReadKeyList(file); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a missing list: %v", err)
	}
	if list, err := ReadKeyList(t.TempDir()); err == nil {
		t.Errorf("a folder is a list of %d keys", len(list))
	}
	line := someKey + "\n#"
	for _, c := range []struct {
		bytes int
		says  string
	}{{maxListBytes, ""}, {maxListBytes + 1, "is too large"}} {
		if err := os.WriteFile(file, []byte(line+strings.Repeat("a", c.bytes-len(line))), 0o600); err != nil {
			t.Fatal(err)
		}
		list, err := ReadKeyList(file)
		if c.says == "" && (err != nil || len(list) != 1) || c.says != "" && (err == nil || !strings.Contains(err.Error(), c.says)) {
			t.Errorf("%d bytes: %d keys, %v, want an error that says %q", c.bytes, len(list), err, c.says)
		}
	}
}

func FuzzList(f *testing.F) {
	f.Add([]byte(someKey + " ana\n#\n"))
	f.Add([]byte(`role="owner" ` + someKey))
	f.Fuzz(func(t *testing.T, content []byte) {
		list, err := parseKeyList("keys", content)
		if err == nil && len(list) > strings.Count(string(content), "\n")+1 {
			t.Errorf("%d keys in %q", len(list), content)
		}
		for _, e := range list {
			if e.Role < club.RolePlayer || e.Role > club.RoleServerOwner {
				t.Errorf("a key of %q has role %v", content, e.Role)
			}
		}
	})
}
