package storetest

import (
	"context"
	"reflect"
	"strings"
	"testing"
	"time"

	"ayumu/engine/puzzle"
	"ayumu/lobby"
	"ayumu/lobby/account"
	"ayumu/lobby/club"
	"ayumu/lobby/cluster/rows"
	"ayumu/lobby/errcode"
	"ayumu/lobby/match"
	"ayumu/lobby/notify"
	"ayumu/lobby/puzzles"
	"ayumu/lobby/rating"
	"ayumu/lobby/store"
)

// renamedTables are the new names of tables of schema 13.
var renamedTables = map[string]string{
	"fresh": "staged_entries", "invites": "invitations", "puzzle_players": "puzzle_progress", "reserved": "reserved_names",
	"shared": "shared_rows",
}

// renamedColumns are the old and new names of columns, by the table in schema 13.
var renamedColumns = map[string][]string{
	"accounts":       {"look", "skeleton"},
	"audit":          {"deed", "action"},
	"entries":        {"append", "append_id"},
	"fresh":          {"append", "append_id"},
	"invites":        {"uses", "uses_left"},
	"log":            {"append", "append_id"},
	"matches":        {"prior", "rematch_of", "unrated", "unrated_reason", "conditions", "conditions_version", "length", "log_version", "last", "last_append_id"},
	"members":        {"invite", "invitation"},
	"puzzle_players": {"streak", "best_streak"},
	"ratings":        {"settled", "established"},
	"receivers":      {"lease", "leased_until", "claims", "lease_token"},
	"reports":        {"actor", "reporter"},
	"reserved":       {"look", "skeleton"},
	"sanctions":      {"shown", "subject_name"},
	"seats":          {"before", "rating_before", "after", "rating_after", "return", "return_digest"},
}

// SinceSchema13 returns the name that a table of schema 13 has now, and the names of its columns. These are quoted, and
// separated by commas.
func SinceSchema13(table, columns string) (newTable, newColumns string) {
	names := renamedColumns[table]
	for i := 0; i < len(names); i += 2 {
		columns = strings.Replace(columns, `"`+names[i]+`"`, `"`+names[i+1]+`"`, 1)
	}
	if renamed := renamedTables[table]; renamed != "" {
		table = renamed
	}
	return table, columns
}

// CheckUpgraded checks what a store returns that was upgraded from schema 13, where an earlier Populate had made its
// content. populated is a new store with that of Populate.
func CheckUpgraded(t *testing.T, upgraded, populated store.Store) {
	t.Helper()
	got, want := readAll(t, upgraded), readAll(t, populated)
	for what := range want {
		if !reflect.DeepEqual(got[what], want[what]) {
			t.Errorf("%s: the upgraded store has\n%+v\nwant\n%+v", what, got[what], want[what])
		}
	}
	_, err := upgraded.CreateAccount(t.Context(), "dora", []byte("another key"), Start)
	Want(t, "a reserved name", err, errcode.ErrTaken)
	_, err = upgraded.CreateAccount(t.Context(), "ana", []byte("another key"), Start)
	Want(t, "a taken name", err, errcode.ErrTaken)
}

// readAll returns what the methods of a store read of the content of Populate, without what later versions of that have
// written in another way.
func readAll(t *testing.T, s store.Store) map[string]any {
	ctx, all := t.Context(), make(map[string]any)
	ana := Must[account.Account](t)(s.AccountByKey(ctx, []byte("key of ana")))
	all["ana"] = ana
	all["bob"] = Must[account.Account](t)(s.AccountByName(ctx, "bob"))
	all["the deleted account"] = Must[account.Account](t)(s.Account(ctx, 4))
	all["keys"] = Must[[]account.Key](t)(s.Keys(ctx, ana.ID))
	all["finished matches"] = Must[[]lobby.FinishedMatch](t)(s.FinishedMatches(ctx, lobby.MatchQuery{Player: ana.ID, Limit: 9}))
	for _, id := range []string{"finished", "aborted", "running"} {
		info, log, err := s.Match(ctx, id)
		Want(t, id, err, nil)
		changes, unrated, err := s.MatchRatings(ctx, id)
		Want(t, id, err, nil)
		all["match "+id] = []any{info, log, changes, unrated}
	}
	all["conditions"] = Must[match.StoredConditions](t)(s.Conditions(ctx, "running")).Rows
	all["ratings"] = Must[[]lobby.RatingPoint](t)(s.RatingHistory(ctx, ana.ID, "ayu", 9))
	all["tally"] = Must[lobby.Tally](t)(s.Tally(ctx, ana.ID, "ayu"))
	all["leaderboard"] = Must[[]account.Account](t)(s.Leaderboard(ctx, "ayu", Start, lobby.Requirements{}, 9))
	all["members"] = Must[[]club.Member](t)(s.Members(ctx, "", 9))
	all["roles"] = Must[map[account.ID]club.Role](t)(s.Roles(ctx))
	all["invitations"] = Must[[]club.ListedInvitation](t)(s.Invitations(ctx, Start, 9))
	all["is a member"] = Must[bool](t)(s.IsMember(ctx, []byte("key of ana")))
	all["sanctions"] = Must[[]club.Sanction](t)(s.Sanctions(ctx, Start))
	all["announcements"] = Must[[]club.Announcement](t)(s.Announcements(ctx, 0, 9))
	all["read until"] = Must[time.Time](t)(s.ReadUntil(ctx, ana.ID))
	all["text"] = Must[string](t)(s.Text(ctx, club.TextMessage))
	progress := Must[puzzles.Progress](t)(s.PuzzleProgress(ctx, ana.ID))
	progress.Ratings = onlyGames(progress.Ratings)
	all["puzzles"] = progress
	all["ratings of puzzles"] = onlyGames(Must[map[string]rating.Rating](t)(s.PuzzleRatings(ctx)))
	all["added puzzles"] = Must[[]puzzle.Puzzle](t)(s.AddedPuzzles(ctx))
	all["due"] = Must[map[notify.Queue]time.Time](t)(s.NextDue(ctx))
	receiver := Must[notify.Receiver](t)(s.Receiver(ctx, ana.ID))
	receiver.Destination = "" // since schema 14
	all["receiver"] = receiver
	reports := Must[[]club.Report](t)(s.OpenReports(ctx, 0, 9))
	for i := range reports {
		reports[i].Evidence = club.Evidence{} // since schema 14
	}
	all["reports"] = reports
	log := Must[[]club.AuditEntry](t)(s.AuditLog(ctx, 99))
	for i := range log {
		log[i].Action = "" // in other words
	}
	all["audit log"] = log
	all["shared rows"] = sharedData(ctx, t, s)
	return all
}

// onlyGames returns ratings without what follows from the rating with which people begin, which has changed since schema 13.
func onlyGames(all map[string]rating.Rating) map[string]rating.Rating {
	games := make(map[string]rating.Rating)
	for key, r := range all {
		games[key] = rating.Rating{Games: r.Games}
	}
	return games
}

// sharedData returns the data of the durable row of Populate.
func sharedData(ctx context.Context, t *testing.T, s store.Store) (data []string) {
	for _, r := range Must[[]rows.Row](t)(s.Shared().Read(ctx, rows.Key{Kind: "test", ID: "kept"})) {
		data = append(data, string(r.Data))
	}
	return data
}
