package access

import "testing"

// TestRoleMayCommand is the whole of who may do what.
func TestRoleMayCommand(t *testing.T) {
	table := map[Action][5]bool{
		//         nobody guest  player moder. owner
		Link:     {true, true, true, true, true},
		Enter:    {false, true, true, true, true},
		Report:   {false, true, true, true, true},
		Invite:   {false, false, false, true, true},
		Mute:     {false, false, false, true, true},
		Unmute:   {false, false, false, true, true},
		Kick:     {false, false, false, true, true},
		Ban:      {false, false, false, true, true},
		Unban:    {false, false, false, true, true},
		Bans:     {false, false, false, true, true},
		Reports:  {false, false, false, true, true},
		Done:     {false, false, false, true, true},
		Shut:     {false, false, false, true, true},
		Reopen:   {false, false, false, true, true},
		Announce: {false, false, false, false, true},
		Audit:    {false, false, false, false, true},
		"reboot": {false, false, false, false, false},
	}
	for a := range least {
		if _, there := table[a]; !there {
			t.Errorf("the table lacks %s", a)
		}
	}
	for a, row := range table {
		for role := Nobody; role <= Owner; role++ {
			if role.May(a) != row[role] {
				t.Errorf("%s may %s: %v", role, a, role.May(a))
			}
			for other := Nobody; other <= Owner; other++ {
				if want := row[role] && role > other; role.MayTo(a, other) != want {
					t.Errorf("%s may %s a %s: %v", role, a, other, !want)
				}
			}
		}
	}
	for _, o := range orders {
		if _, known := least[o.action]; !known {
			t.Errorf("nobody may %s", o.action)
		}
	}
}
