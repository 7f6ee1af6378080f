package command

import (
	"context"
	"strconv"
	"strings"

	"ayumu/lobby/errcode"
	"ayumu/lobby/sanitize"
	"ayumu/tui/picture/matchpicture"
)

// writePicture returns the command that writes a picture of a match to a file or a pipe.
func writePicture(kind matchpicture.Kind) func(context.Context, Env, []string, bool) error {
	return func(ctx context.Context, e Env, args []string, _ bool) error {
		id, r, err := parsePicture(kind, e.Operations.ForSSH(string(kind)).Info().Usage(string(kind)), args)
		if err != nil {
			return err
		}
		if e.IsTerminal {
			return errcode.Errorf(errcode.BadRequest, "%[1]s is not for a terminal; write it to a file: ssh %[2]s %[1]s %[3]s > %[3]s.%[1]s", kind, e.SSHTarget, id)
		}
		s, err := e.Archive().Snapshot(ctx, id)
		if err != nil {
			return err
		}
		r.Site, r.Note = e.Site(), "ssh "+e.SSHTarget
		picture, err := e.Pictures.Get(ctx, s, r)
		if err != nil {
			return err
		}
		_, err = e.Out.Write(picture)
		return err
	}
}

// parsePicture parses the words after the name of a picture's kind. The id is clean text of a game's id.
func parsePicture(kind matchpicture.Kind, form string, args []string) (id string, r matchpicture.Request, err error) {
	r = matchpicture.Request{Kind: kind, Turn: matchpicture.Newest}
	usage := errcode.Errorf(errcode.BadRequest, "usage: %s", form)
	for _, arg := range args {
		name, value, hasValue := strings.Cut(arg, "=")
		switch {
		case strings.HasPrefix(arg, "--"):
			return "", r, errcode.Errorf(errcode.BadRequest, "unknown flag %s; usage: %s", sanitize.Line(arg, 30), form)
		case !hasValue && arg == "light":
			r.Light = true
		case !hasValue && id == "" && isID(arg):
			id = arg
		case name == "turn" && kind == matchpicture.SVG:
			r.Turn, err = strconv.Atoi(value)
			if err != nil || r.Turn < 0 {
				return "", r, usage
			}
		case name == "size" && kind != matchpicture.Cast:
			if r.Size, err = strconv.Atoi(value); err != nil || r.Size <= 0 {
				return "", r, usage
			}
		case arg == "v=2" && kind == matchpicture.Cast:
			r.V2 = true
		default:
			return "", r, usage
		}
	}
	if id == "" {
		return "", r, usage
	}
	return id, r, nil
}

// isID reports whether a word can be the id of a match.
func isID(s string) bool {
	return len(s) <= 20 && strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789") == ""
}
