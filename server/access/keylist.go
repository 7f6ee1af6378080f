package access

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/crypto/ssh"

	"ayumu/lobby"
	"ayumu/lobby/sanitize"
)

// listedKey is an entry of the list of keys.
type listedKey struct {
	role Role
	name string // from the comment; empty if the comment is not a valid name
}

// KeyList has the keys that the operator admits, by their wire format. It is immutable.
type KeyList map[string]listedKey

const maxListBytes = 4 << 20

// ReadKeyList reads an authorized_keys file: a key on each line, with the player's name as its comment. The
// options role="owner" and role="moderator" give a role; other options are an error.
func ReadKeyList(file string) (KeyList, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	content, err := io.ReadAll(io.LimitReader(f, maxListBytes+1))
	switch {
	case err != nil:
		return nil, err
	case len(content) > maxListBytes:
		return nil, fmt.Errorf("%s is too large for a list of keys", file)
	}
	return parseKeyList(file, content)
}

func parseKeyList(file string, content []byte) (KeyList, error) {
	list := make(KeyList)
	lines := bufio.NewScanner(bytes.NewReader(content))
	lines.Buffer(nil, maxListBytes+1)
	for n := 1; lines.Scan(); n++ {
		text := strings.TrimSpace(lines.Text())
		if text == "" || text[0] == '#' {
			continue
		}
		key, comment, options, _, err := ssh.ParseAuthorizedKey([]byte(text))
		if err != nil {
			return nil, fmt.Errorf("%s:%d: not a public key", file, n)
		}
		e := listedKey{role: RolePlayer}
		for _, o := range options {
			switch o {
			case `role="owner"`:
				e.role = RoleServerOwner
			case `role="moderator"`:
				e.role = RoleModerator
			default:
				return nil, fmt.Errorf("%s:%d: unknown option %q; use role=\"owner\" or role=\"moderator\"", file, n, sanitize.Line(o, 40))
			}
		}
		if lobby.CheckName(comment) == nil {
			e.name = comment
		}
		list[string(key.Marshal())] = e
	}
	return list, lines.Err()
}
