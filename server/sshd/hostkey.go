package sshd

import (
	"crypto/ed25519"
	"crypto/rand"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/crypto/ssh"
)

// LoadHostKeys returns the keys in the files, at least one, and creates the first if it is missing. The
// operator creates the others before a change of keys: a key created for a mistyped name would be announced.
func LoadHostKeys(files []string) ([]ssh.Signer, error) {
	if len(files) > 0 {
		if _, err := LoadHostKey(files[0]); err != nil {
			return nil, err
		}
	}
	return ReadHostKeys(files)
}

// ReadHostKeys is LoadHostKeys for files that must exist.
func ReadHostKeys(files []string) ([]ssh.Signer, error) {
	if len(files) == 0 {
		return nil, errors.New("a server needs a host key")
	}
	var keys []ssh.Signer
	for _, file := range files {
		key, err := readHostKey(file)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, missingHostKey(file, err)
		}
		if err != nil {
			return nil, err
		}
		keys = append(keys, key)
	}
	return keys, nil
}

// CheckHostKeys returns the error that LoadHostKeys would return, without creating a file. The first file
// may be missing.
func CheckHostKeys(files []string) error {
	for i, file := range files {
		_, err := readHostKey(file)
		missing := errors.Is(err, fs.ErrNotExist)
		switch {
		case missing && i > 0:
			return missingHostKey(file, err)
		case err != nil && !missing:
			return err
		}
	}
	return nil
}

func missingHostKey(file string, err error) error {
	return fmt.Errorf("%w: make it with `ssh-keygen -t ed25519 -N \"\" -f %s`", err, file)
}

// LoadHostKey returns the key in the file. It creates a missing file with mode 0600, and its directory with
// 0700, atomically, also if two processes start at once. It returns an error that says what to do if others
// can read the file, or if it is not an ed25519 private key without a passphrase.
func LoadHostKey(file string) (ssh.Signer, error) {
	signer, err := readHostKey(file)
	if errors.Is(err, fs.ErrNotExist) {
		if err := makeHostKey(file); err != nil {
			return nil, fmt.Errorf("making host key %s: %w", file, err)
		}
		signer, err = readHostKey(file)
	}
	return signer, err
}

// readHostKey is LoadHostKey for a file that must exist.
func readHostKey(file string) (ssh.Signer, error) {
	text, err := readPrivate(file)
	if err != nil {
		return nil, fmt.Errorf("host key: %w", err)
	}
	signer, err := ssh.ParsePrivateKey(text)
	var locked *ssh.PassphraseMissingError
	switch {
	case errors.As(err, &locked):
		return nil, fmt.Errorf("host key %s has a passphrase: remove it with `ssh-keygen -p -f %s`", file, file)
	case err != nil:
		return nil, fmt.Errorf("host key %s is not a private key: %w", file, err)
	case signer.PublicKey().Type() != ssh.KeyAlgoED25519:
		return nil, fmt.Errorf("host key %s is %s, and must be ssh-ed25519", file, signer.PublicKey().Type())
	}
	return signer, nil
}

// readPrivate reads a regular file of at most 64 KiB that only its owner may read.
func readPrivate(file string) ([]byte, error) {
	const maxSize = 64 << 10
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a regular file", file)
	}
	if mode := info.Mode().Perm(); mode&0o077 != 0 {
		return nil, fmt.Errorf("others may read or change %s (mode %04o): `chmod 600 %s`", file, mode, file)
	}
	text, err := io.ReadAll(io.LimitReader(f, maxSize+1))
	if err == nil && len(text) > maxSize {
		err = fmt.Errorf("%s is too large", file)
	}
	return text, err
}

// makeHostKey writes a new key to a temporary file and links it to the file's name. If another process was
// faster, the link fails and that process's key is kept.
func makeHostKey(file string) error {
	_, key, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return err
	}
	block, err := ssh.MarshalPrivateKey(key, "ayumu")
	if err != nil {
		return err
	}
	dir := filepath.Dir(file)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, ".hostkey-*") // its mode is 0600
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	_, err = f.Write(pem.EncodeToMemory(block))
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	if err := os.Link(f.Name(), file); err != nil && !errors.Is(err, fs.ErrExist) {
		return os.Rename(f.Name(), file) // a file system without links
	}
	return nil
}
