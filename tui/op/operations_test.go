package op

import "testing"

// TestEveryFrontEndHasEveryOperation checks that each operation is offered or has a reason, in each front end, and that its
// help is a clause.
func TestEveryFrontEndHasEveryOperation(t *testing.T) {
	for _, o := range NewOperations(All()...).All() {
		i := o.Info()
		for end, p := range map[string]Place{"screens": i.On.Screen, "line mode": i.On.Line, "SSH": i.On.SSH, "API": i.On.API} {
			switch {
			case end == "screens" && len(p.Names) == 0 && p.Reason == "":
				t.Errorf("%s: %s has neither a way nor a reason", i.Name, end)
			case len(p.Names) > 0 && p.Reason != "":
				t.Errorf("%s: %s has a way and a reason against it", i.Name, end)
			case p.Reason != "":
				t.Logf("%s is not in %s: %s", i.Name, end, p.Reason)
			}
		}
	}
}
