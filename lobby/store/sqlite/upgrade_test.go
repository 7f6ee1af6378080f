package sqlite

import (
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"ayumu/lobby"
)

// A data file of the first published version (schema 4) opens with everything in it: testdata/schema4.db.gz
// has a finished rated match, a finished and an unfinished private one, a block, a report and a permanent
// mute.
func TestFileOfSchema4IsUpgraded(t *testing.T) {
	packed, err := os.Open("testdata/schema4.db.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer packed.Close()
	unpacked := must[*gzip.Reader](t)(gzip.NewReader(packed))
	path := filepath.Join(t.TempDir(), FileName)
	if err := os.WriteFile(path, must[[]byte](t)(io.ReadAll(unpacked)), 0o600); err != nil {
		t.Fatal(err)
	}
	s := openFile(t, path)
	ctx := t.Context()

	for id, wantCode := range map[string]string{"m5hrw1g": "", "25mkme3": "", "tqney5x": "mb4aw55xzh"} {
		info, log, err := s.Match(ctx, id)
		if err != nil {
			t.Errorf("match %s: %v", id, err)
			continue
		}
		if err := lobby.VerifyLog(info, log); err != nil {
			t.Error(err)
		}
		if info.Code != wantCode {
			t.Errorf("match %s has the code %q, want %q", id, info.Code, wantCode)
		}
	}
	// A log of that schema, whose entries have no AppendID, continues.
	_, log, err := s.Match(ctx, "tqney5x")
	next := lobby.Entry{Kind: lobby.EntryCredit, At: log[len(log)-1].At, AppendID: lobby.AppendID{7}}
	want(t, "append", s.Append(ctx, "tqney5x", lobby.EndOf(log), next), err)
	_, log, err = s.Match(ctx, "tqney5x")
	if end := lobby.EndOf(log); err != nil || end.Last != next.AppendID {
		t.Errorf("the log ends with %v, %v", end, err)
	}

	changes, unrated, err := s.MatchRatings(ctx, "m5hrw1g")
	if err != nil || len(changes) != 2 || unrated != "" {
		t.Errorf("the rated match changed %v, unrated %q, %v", changes, unrated, err)
	}

	sanctions, err := s.Sanctions(ctx, time.Now())
	if err != nil || len(sanctions) != 1 || sanctions[0].Account != 6 {
		t.Errorf("sanctions: %+v, %v; want one of account 6", sanctions, err)
	}
	if n, err := s.CountReports(ctx); n != 1 || err != nil {
		t.Errorf("%d open reports, %v; want 1", n, err)
	}
	cho := must[lobby.Account](t)(s.AccountByName(ctx, "cho"))
	key := must[[]lobby.Key](t)(s.Keys(ctx, cho.ID))
	if cho = must[lobby.Account](t)(s.AccountByKey(ctx, key[0].Wire)); len(cho.Blocks) != 1 || cho.Blocks[0].Name != "bob" {
		t.Errorf("cho blocks %v, want bob", cho.Blocks)
	}
	if _, err := s.CreateAccount(ctx, "new-one", []byte("a new key"), time.Now()); err != nil {
		t.Error(err)
	}
}
