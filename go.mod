module ayumu

go 1.26.0

require (
	charm.land/bubbletea/v2 v2.0.9
	charm.land/fang/v2 v2.0.1
	charm.land/lipgloss/v2 v2.0.6
	charm.land/log/v2 v2.0.0
	charm.land/ssh v0.4.3
	charm.land/wish/v2 v2.0.3
	github.com/charmbracelet/ultraviolet v0.0.0-20260811164956-006e29f97886
	github.com/hinshun/vt10x v0.0.0-20220301184237-5011da428d02
	github.com/spf13/cobra v1.10.2
	golang.org/x/crypto v0.58.0
	modernc.org/sqlite v1.60.1
)
