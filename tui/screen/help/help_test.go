package help_test

import (
	"testing"

	"ayumu/tui/screen/screentest"
)

func TestHelpOfSettingsAndAccount(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		d := h.SignIn("ana", "")
		d.Press("o ?")
		d.WantText("Help", "Settings", "Rings when it is your turn")
		d.Press("q")
		d.WantText("[auto]")
		d.Press(":account ?")
		d.WantText("Your SSH keys are your account", "rename the account")
		d.Press("?")
		d.WantText("Each of these keys signs in to this account, which")
	})
}
