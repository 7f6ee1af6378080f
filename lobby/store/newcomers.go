package store

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"ayumu/lobby/match"
	"ayumu/lobby/text"
)

// The moderators are shown who has won rated games against this number of new accounts within this time: teachers of a
// class and strong players reach it now and then, a player who makes accounts to win against them in the first hour.
// Nothing else follows from it. An account is new here if it is younger than newcomerAge or has few games, because
// accounts that are made for this can wait, but would have to play as well.
const (
	manyNewcomers = 10
	newcomersTime = 7 * 24 * time.Hour
	newcomerGames = 3 // rated games in the pool
)

// isNewAccount is the condition that the player of seat o, of which n is the account and r the rating, was new at the time
// given.
func isNewAccount(at string) string {
	return fmt.Sprintf("NOT n.bot AND (n.created > %s - %d OR coalesce(r.games, 0) <= %d)", at, newcomerAge, newcomerGames)
}

// serverReporter is the reporter of the server's own reports. No player has a name with a space.
const serverReporter = "the server"

// reportNewcomers adds a report about the winner of a rated match that has ended, if many newcomers have lost to them and
// there is no such report that is open or as new. It does nothing where access is closed.
func reportNewcomers(t Tx, id string, end match.Entry) error {
	if len(end.Result.Winners) != 1 {
		return nil
	}
	if open, err := isOpen(context.Background(), t); err != nil || !open {
		return err
	}
	var winner int64
	var name string
	err := t.Row(`SELECT a.id, a.name FROM seats s JOIN accounts a ON a.id = s.account WHERE s.match = ?1 AND s.seat = ?2 AND NOT a.bot
		AND EXISTS (SELECT 1 FROM seats o JOIN accounts n ON n.id = o.account LEFT JOIN ratings r ON r.account = o.account AND r.pool = o.pool
			WHERE o.match = ?1 AND o.seat <> ?2 AND `+isNewAccount("o.ended")+")", id, end.Result.Winners[0]).Scan(&winner, &name)
	if err == sql.ErrNoRows {
		return nil // the usual case: nobody is new
	}
	if err != nil {
		return err
	}
	newcomers, since := 0, end.At.Add(-newcomersTime).UnixNano()
	err = t.Row(`SELECT count(DISTINCT o.account) FROM seats own JOIN seats o ON o.match = own.match AND o.seat <> own.seat
		JOIN accounts n ON n.id = o.account LEFT JOIN ratings r ON r.account = o.account AND r.pool = o.pool
		WHERE own.account = ?1 AND own.ended > ?2 AND own.pool IS NOT NULL AND own.outcome = ?3 AND `+isNewAccount("own.ended"),
		winner, since, string(Won)).Scan(&newcomers)
	if err != nil || newcomers < manyNewcomers {
		return err
	}
	text := fmt.Sprintf("%d accounts that were younger than %s or have at most %d rated games have lost rated games to %s within %s",
		newcomers, days(newcomerAge), newcomerGames, name, days(newcomersTime))
	_, err = t.Exec(`INSERT INTO reports (at, reporter, origin, about, text) SELECT ?1, ?2, '', ?3, ?4
		WHERE NOT EXISTS (SELECT 1 FROM reports WHERE reporter = ?2 AND about = ?3 AND (closed IS NULL OR at > ?5))`,
		end.At.UnixNano(), serverReporter, name, text, since)
	return err
}

func days(d time.Duration) string { return text.Plural(int(d/(24*time.Hour)), "day") }

// accessText is the row of club_texts that says that access is closed.
const accessText, accessClosed = "access", "closed"

// isOpen reports whether access is open (MemberTable.SetOpen).
func isOpen(ctx context.Context, q Querier) (bool, error) {
	isClosed, err := Exists(ctx, q, "SELECT 1 FROM club_texts WHERE name = ?1 AND text = ?2", accessText, accessClosed)
	return !isClosed, err
}

// SetOpen implements club.MemberStore.
func (s MemberTable) SetOpen(ctx context.Context, open bool) error {
	return s.db.Update(ctx, "storing who may connect in", func(t Tx) error {
		if before, err := isOpen(ctx, t); err != nil || before == open {
			return err
		}
		if open {
			_, err := t.Exec("DELETE FROM club_texts WHERE name = ?1", accessText)
			return err
		}
		_, err := t.Exec("INSERT INTO club_texts (name, text) VALUES (?1, ?2) ON CONFLICT (name) DO UPDATE SET text = excluded.text", accessText, accessClosed)
		return err
	})
}
