package op

import "testing"

// TestEveryFrontEndHasEveryOperation checks that each operation is offered or has a reason, in each front end.
func TestEveryFrontEndHasEveryOperation(t *testing.T) {
	names := make(map[string]bool)
	for _, o := range Operations {
		if names[o.Name] {
			t.Errorf("%s is listed twice", o.Name)
		}
		names[o.Name] = true
		for end, a := range map[string]Access{"screens": o.Screen, "line mode": o.Line, "API": o.API} {
			switch {
			case len(a.By) == 0 && a.Reason == "":
				t.Errorf("%s: %s has neither a way nor a reason", o.Name, end)
			case len(a.By) > 0 && a.Reason != "":
				t.Errorf("%s: %s has a way and a reason against it", o.Name, end)
			case a.Reason != "":
				t.Logf("%s is not in %s: %s", o.Name, end, a.Reason)
			}
		}
	}
}
