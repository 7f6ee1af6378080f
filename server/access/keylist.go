package access

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/crypto/ssh"

	"ayumu/lobby/account"
	"ayumu/lobby/club"
	"ayumu/lobby/sanitize"
)

const maxListBytes = 4 << 20

// ReadKeyList reads an authorized_keys file: a key on each line, with the player's name as its comment. The
// options role="owner" and role="moderator" give a role; other options are an error.
func ReadKeyList(file string) (club.KeyList, error) {
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

func parseKeyList(file string, content []byte) (club.KeyList, error) {
	list := make(club.KeyList)
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
		e := club.ListedKey{Role: club.RolePlayer}
		for _, o := range options {
			switch o {
			case `role="owner"`:
				e.Role = club.RoleServerOwner
			case `role="moderator"`:
				e.Role = club.RoleModerator
			default:
				return nil, fmt.Errorf("%s:%d: unknown option %q; use role=\"owner\" or role=\"moderator\"", file, n, sanitize.Line(o, 40))
			}
		}
		if account.CheckName(comment) == nil {
			e.Name = comment
		}
		list[string(key.Marshal())] = e
	}
	return list, lines.Err()
}
