package club

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"ayumu/lobby/account"
)

// The ids of the rows with which a node notifies the others of what its moderators did. The sanctions themselves
// are in the store.
const (
	sanctionsRow = "sanctions" // its content changes whenever the sanctions have changed
	kickRow      = "kick "     // with a number below kickRows: a kick
	bulletinRow  = "bulletin"  // its content changes whenever the bulletin has changed
	rolesRow     = "roles"     // its content changes whenever stored roles have changed
	accountRow   = "account "  // with the id of an account that was changed or deleted
)

// kickRows is the number of the last kicks that are kept. A node reads each within a second or two.
const kickRows = 100

// kick is a row of kickRow. It ends the sessions that began before it was written, so that nobody is kicked
// twice if it is read again.
type kick struct {
	Account account.ID `json:"account"`
	Below   Role       `json:"below"` // only sessions of lower roles
	Notice  string     `json:"notice"`
}

// Follow takes over what the moderators of another node did: a row that its club has passed to Share at that
// time. It returns an error if the store has failed, and is then called again.
func (c *Club) Follow(ctx context.Context, id string, data []byte, at time.Time) error {
	switch {
	case id == sanctionsRow:
		if _, err := c.currentSanctions(ctx); err != nil {
			return err
		}
		c.enforceBans()
	case id == bulletinRow:
		return c.Bulletin.follow(ctx)
	case id == rolesRow:
		return c.Roles.read(ctx)
	case strings.HasPrefix(id, accountRow):
		if id, ok := account.ParseID(id[len(accountRow):]); ok {
			return c.users().Refresh(ctx, id)
		}
	case strings.HasPrefix(id, kickRow):
		var k kick
		if err := json.Unmarshal(data, &k); err != nil {
			return nil // of another version of the program
		}
		c.Sessions.end(k.Notice, func(s *Session, account account.Account) bool {
			return account.ID == k.Account && s.Role < k.Below && s.began.Before(at)
		})
	}
	return nil
}

// shareChange has the other nodes read what a row stands for.
func (c *Club) shareChange(row string) {
	if c.Share != nil {
		c.Share(row, []byte(strconv.FormatUint(c.nextShare(), 10)))
	}
}

// shareKick has the other nodes end the sessions of an account.
func (c *Club) shareKick(k kick) error {
	if c.Share == nil {
		return nil
	}
	data, err := json.Marshal(k)
	if err != nil {
		return fmt.Errorf("kick: %w", err)
	}
	c.Share(kickRow+strconv.FormatUint(c.nextShare()%kickRows, 10), data)
	return nil
}

// sessionsOnOtherNodes returns the number of sessions on other nodes that an action against an account ends.
func (c *Club) sessionsOnOtherNodes(s subject) int {
	n, _ := c.users().SessionsOnOtherNodes(s.account)
	return n
}

func (c *Club) nextShare() uint64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.shares++
	return c.shares
}

// enforceBans ends the sessions to which bans of other nodes apply. A ban is enforced once, because later
// sessions are not admitted.
func (c *Club) enforceBans() {
	for _, ban := range c.newBans() {
		c.Sessions.end(ban.banNotice(), func(s *Session, account account.Account) bool {
			return ban.bans(s.Key, account.ID, s.From, s.Role)
		})
	}
}

// newBans returns the bans of which it has not been called before.
func (c *Club) newBans() (all []Sanction) {
	c.mu.Lock()
	defer c.mu.Unlock()
	known := c.enforced
	c.enforced = make(map[int64]bool)
	for _, s := range c.sanctions {
		if s.Kind != KindBan {
			continue
		}
		if c.enforced[s.ID] = true; !known[s.ID] {
			all = append(all, s)
		}
	}
	return all
}

// banNotice returns what the sessions read that a ban ends.
func (s *Sanction) banNotice() string { return "You have been banned." + reasonSuffix(s.Reason) }
