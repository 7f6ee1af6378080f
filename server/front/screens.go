package front

import (
	"context"
	"fmt"

	"ayumu/server"
)

// screens runs the terminal screens.
func (d *Desk) screens(ctx context.Context, s *server.Session, words []string) int {
	fmt.Fprint(s, "no screens yet\r\n")
	return 1
}
