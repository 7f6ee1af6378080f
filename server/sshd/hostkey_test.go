package sshd

import (
	"bytes"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/rsa"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/crypto/ssh"

	"ayumu/server/servertest"
)

func TestHostKeyIsMadeOnceAndForItsOwnerOnly(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a", ".ssh", "ayumu_ed25519")
	made, err := LoadHostKey(file)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]fs.FileMode{file: 0o600, filepath.Dir(file): fs.ModeDir | 0o700} {
		if info, err := os.Stat(name); err != nil || info.Mode() != want {
			t.Errorf("%s: %v, %v; want %v", name, info.Mode(), err, want)
		}
	}
	if names, err := os.ReadDir(filepath.Dir(file)); err != nil || len(names) != 1 {
		t.Errorf("beside the key: %v, %v", names, err)
	}
	again, err := LoadHostKey(file)
	if err != nil || !bytes.Equal(made.PublicKey().Marshal(), again.PublicKey().Marshal()) {
		t.Error("the second start has another key:", err)
	}
}

func TestHostKeyIsTheSameForAllWhoStartAtOnce(t *testing.T) {
	file := filepath.Join(t.TempDir(), "key")
	prints := make(chan string)
	for range 8 {
		go func() {
			key, err := LoadHostKey(file)
			if err != nil {
				prints <- err.Error()
				return
			}
			prints <- ssh.FingerprintSHA256(key.PublicKey())
		}()
	}
	first := servertest.Receive(t, prints)
	for range 7 {
		if got := servertest.Receive(t, prints); got != first {
			t.Errorf("%s and %s", first, got)
		}
	}
}

func TestHostKeyErrorsSayWhatToDo(t *testing.T) {
	dir := t.TempDir()
	_, ed, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	rs, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	text := func(block *pem.Block, err error) []byte {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return pem.EncodeToMemory(block)
	}
	good := text(ssh.MarshalPrivateKey(ed, ""))
	for name, tt := range map[string]struct {
		text []byte
		mode fs.FileMode
		want string // empty for none
	}{
		"good":        {good, 0o600, ""},
		"read-only":   {good, 0o400, ""},
		"shown":       {good, 0o644, "mode 0644): `chmod 600 "},
		"group":       {good, 0o620, "mode 0620"},
		"rubbish":     {[]byte("rubbish"), 0o600, "not a private key"},
		"empty":       {nil, 0o600, "not a private key"},
		"cut":         {good[:len(good)/2], 0o600, "not a private key"},
		"large":       {make([]byte, 1<<20), 0o600, "too large"},
		"64 KiB":      {make([]byte, 64<<10), 0o600, "not a private key"},
		"a byte more": {make([]byte, 64<<10+1), 0o600, "too large"},
		"rsa":         {text(ssh.MarshalPrivateKey(rs, "")), 0o600, "is ssh-rsa, and must be ssh-ed25519"},
		"passphrase":  {text(ssh.MarshalPrivateKeyWithPassphrase(ed, "", []byte("x"))), 0o600, "ssh-keygen -p -f "},
	} {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, tt.text, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(file, tt.mode); err != nil {
			t.Fatal(err)
		}
		_, err := LoadHostKey(file)
		if (err == nil) != (tt.want == "") || err != nil && (!strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), file)) {
			t.Errorf("%s: %v, want %q", name, err, tt.want)
		}
		if err2 := CheckHostKeys([]string{filepath.Join(dir, "none yet"), file}); fmt.Sprint(err2) != fmt.Sprint(err) {
			t.Errorf("%s: when it is checked: %v, want %v", name, err2, err)
		}
		if now, err := os.ReadFile(file); err != nil || !bytes.Equal(now, tt.text) {
			t.Errorf("%s: the file was changed: %v", name, err)
		}
	}
	key := filepath.Join(dir, "good")
	if err := CheckHostKeys([]string{key, filepath.Join(dir, "next")}); err == nil || !strings.Contains(err.Error(), "ssh-keygen -t ed25519") {
		t.Error("a next key that is missing:", err)
	}
	for name, want := range map[string]string{"next": "ssh-keygen -t ed25519", "rsa": "must be ssh-ed25519"} {
		if keys, err := ReadHostKeys([]string{key, filepath.Join(dir, name)}); err == nil || keys != nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s as the next key: %v, want %q", name, err, want)
		}
	}
	if _, err := LoadHostKeys([]string{filepath.Join(dir, "good", "key"), key}); err == nil || !strings.Contains(err.Error(), "making host key") && !strings.Contains(err.Error(), "not a directory") {
		t.Error("a key in a folder that is a file:", err)
	}
	for _, name := range []string{"none yet", "next"} {
		if _, err := os.Stat(filepath.Join(dir, name)); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("a check has made the key %q: %v", name, err)
		}
	}
	if _, err := LoadHostKey(dir); err == nil || !strings.Contains(err.Error(), "regular file") {
		t.Error("a folder:", err)
	}
	if _, err := LoadHostKey(filepath.Join(dir, "good", "key")); err == nil {
		t.Error("a folder that is a file was accepted")
	}
}

func TestServerNeedsAKeyAndAnAddress(t *testing.T) {
	key := filepath.Join(t.TempDir(), "key")
	missing := filepath.Join(t.TempDir(), "next")
	for name, cfg := range map[string]Config{
		"no handler":         {Listen: []string{"127.0.0.1:0"}, HostKeys: []string{key}},
		"no key":             {Listen: []string{"127.0.0.1:0"}},
		"no address":         {HostKeys: []string{key}},
		"a wrong address":    {HostKeys: []string{key}, Listen: []string{"127.0.0.1:0", "here"}},
		"a missing next key": {HostKeys: []string{key, missing}, Listen: []string{"127.0.0.1:0"}},
	} {
		if name != "no handler" {
			cfg.Handler = handlerFunc(waitForEnd)
		}
		if srv, err := Listen(cfg); err == nil || srv != nil {
			t.Errorf("%s: %v, %v", name, srv, err)
		}
	}
	if _, err := os.Stat(missing); err == nil {
		t.Error("a next key was made")
	}
}
