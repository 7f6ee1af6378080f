package access

import (
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
