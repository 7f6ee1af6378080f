package access

import "testing"

// TestRoleMayCommand has all roles and actions.
func TestRoleMayCommand(t *testing.T) {
	table := map[Action][5]bool{
		//         nobody guest  player moder. owner
		ActionLink:        {true, true, true, true, true},
		ActionEnter:       {false, true, true, true, true},
		ActionReport:      {false, true, true, true, true},
		ActionInvite:      {false, false, false, true, true},
		ActionMute:        {false, false, false, true, true},
		ActionUnmute:      {false, false, false, true, true},
		ActionKick:        {false, false, false, true, true},
		ActionBan:         {false, false, false, true, true},
		ActionUnban:       {false, false, false, true, true},
		ActionBans:        {false, false, false, true, true},
		ActionReports:     {false, false, false, true, true},
		ActionCloseReport: {false, false, false, true, true},
		ActionCloseRoom:   {false, false, false, true, true},
		ActionOpenRoom:    {false, false, false, true, true},
		ActionAnnounce:    {false, false, false, false, true},
		ActionAudit:       {false, false, false, false, true},
		"reboot":          {false, false, false, false, false},
	}
	for a := range minRole {
		if _, there := table[a]; !there {
			t.Errorf("the table lacks %s", a)
		}
	}
	for a, row := range table {
		for role := RoleNobody; role <= RoleServerOwner; role++ {
			if role.Can(a) != row[role] {
				t.Errorf("%s may %s: %v", role, a, role.Can(a))
			}
			for other := RoleNobody; other <= RoleServerOwner; other++ {
				if want := row[role] && role > other; role.CanActOn(a, other) != want {
					t.Errorf("%s may %s a %s: %v", role, a, other, !want)
				}
			}
		}
	}
	for _, o := range commands {
		if _, known := minRole[o.action]; !known {
			t.Errorf("nobody may %s", o.action)
		}
	}
}
