package club

import "testing"

// TestRoleMayCommand has all roles and permissions.
func TestRoleMayCommand(t *testing.T) {
	table := map[Permission][5]bool{
		//                      nobody guest  player moder. owner
		PermissionLink:         {true, true, true, true, true},
		PermissionReport:       {false, true, true, true, true},
		PermissionInvite:       {false, false, false, true, true},
		PermissionMute:         {false, false, false, true, true},
		PermissionUnmute:       {false, false, false, true, true},
		PermissionKick:         {false, false, false, true, true},
		PermissionBan:          {false, false, false, true, true},
		PermissionUnban:        {false, false, false, true, true},
		PermissionSanctions:    {false, false, false, true, true},
		PermissionReports:      {false, false, false, true, true},
		PermissionCloseReports: {false, false, false, true, true},
		PermissionCloseRooms:   {false, false, false, true, true},
		PermissionOpenRooms:    {false, false, false, true, true},
		PermissionAnnounce:     {false, false, false, true, true},
		PermissionSeeMembers:   {false, false, false, true, true},
		PermissionMessage:      {false, false, false, false, true},
		PermissionMembers:      {false, false, false, false, true},
		PermissionAudit:        {false, false, false, false, true},
		PermissionOrganize:     {false, false, false, true, true}, // and Policy.MembersOrganize
		PermissionDirect:       {false, false, false, true, true},
		"reboot":               {false, false, false, false, false},
	}
	for p := range minRole {
		if _, there := table[p]; !there {
			t.Errorf("the table lacks %s", p)
		}
	}
	for p, row := range table {
		for role := RoleNobody; role <= RoleServerOwner; role++ {
			if role.Has(p) != row[role] {
				t.Errorf("%s may %s: %v", role, p, role.Has(p))
			}
			for other := RoleNobody; other <= RoleServerOwner; other++ {
				if want := row[role] && role > other; role.HasOver(p, other) != want {
					t.Errorf("%s may %s of role %s: %v", role, p, other, !want)
				}
			}
		}
	}
}
