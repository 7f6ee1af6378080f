package web

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html/template"
	"net/url"
	"strconv"
	"strings"
	"time"

	"ayumu/engine"
	"ayumu/lobby/match"
	"ayumu/lobby/record"
	"ayumu/server/api"
	"ayumu/tui/game"
	"ayumu/tui/picture"
	"ayumu/tui/picture/matchpicture"
	"ayumu/tui/words"
)

// contentTypes are those of the files of a match, by their endings.
var contentTypes = map[matchpicture.Kind]string{
	matchpicture.SVG: "image/svg+xml", matchpicture.PNG: "image/png", matchpicture.GIF: "image/gif", matchpicture.Cast: "application/x-asciicast",
}

// finishedAge is how many seconds others may keep what a finished match shows.
const finishedAge = 3600

// matchFile serves a match: its page, or with an ending a file.
func (v *visit) matchFile() error {
	id, ending, isFile := strings.Cut(v.r.PathValue("file"), ".")
	v.kind = "match"
	if isFile {
		v.kind = "file"
	}
	snap, err := v.snapshot(id)
	if err != nil {
		return err
	}
	if snap.IsOver() {
		v.cacheFor(finishedAge)
	} else {
		v.cacheFor(0)
	}
	switch {
	case !isFile:
		return v.matchPage(snap, "match.html")
	case ending == "json":
		return v.writeShared("application/json", v.shared(snap, ending, matchpicture.Newest, func() ([]byte, error) { return v.matchJSON(snap) }))
	case ending == "txt":
		return v.writeShared("text/plain; charset=utf-8", v.shared(snap, ending, matchpicture.Newest, func() ([]byte, error) { return v.matchRecord(snap) }))
	case contentTypes[matchpicture.Kind(ending)] != "":
		v.kind = "picture"
		return v.matchPicture(snap, matchpicture.Kind(ending))
	}
	return errNotFound
}

// embed serves the board of a public match for a frame on another page, the only page that may be framed.
func (v *visit) embed() error {
	v.kind = "embed"
	snap, err := v.snapshot(v.r.PathValue("id"))
	if err != nil {
		return err
	}
	if snap.Info.Private {
		return errNotFound
	}
	v.w.Header().Set("Content-Security-Policy", strings.Replace(contentPolicy, "frame-ancestors 'none'", "frame-ancestors *", 1))
	v.w.Header().Del("X-Frame-Options")
	v.cacheFor(0)
	return v.matchPage(snap, "embed.html")
}

// turn returns the number of turns of the query, or matchpicture.Newest.
func (v *visit) turn() (int, error) {
	text := v.r.URL.Query().Get("turn")
	if text == "" {
		return matchpicture.Newest, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 || len(text) > 6 {
		return 0, matchpicture.ErrNoTurn
	}
	return n, nil
}

// matchPicture serves a picture.
func (v *visit) matchPicture(snap *match.Snapshot, kind matchpicture.Kind) error {
	q := v.r.URL.Query()
	r := matchpicture.Request{Kind: kind, Light: q.Get("theme") == "light", V2: q.Get("v") == "2", Site: v.layout("").Site, Note: "ssh " + v.SSHTarget}
	var err error
	if r.Turn, err = v.turn(); err != nil {
		return err
	}
	if size := q.Get("size"); size != "" {
		if r.Size, err = strconv.Atoi(size); err != nil || r.Size <= 0 {
			return matchpicture.ErrSize
		}
	}
	content, err := v.Pictures.Get(v.ctx, snap, r)
	if err != nil {
		return err
	}
	v.w.Header().Set("Cross-Origin-Resource-Policy", "cross-origin")
	if kind == matchpicture.Cast {
		v.w.Header().Set("Access-Control-Allow-Origin", "*") // players of other pages load it by a script
	}
	return v.write(contentTypes[kind], content)
}

// matchJSON returns the snapshot and the entries as programs get them from the API.
func (v *visit) matchJSON(snap *match.Snapshot) ([]byte, error) {
	all := api.SnapshotJSON(snap, time.Now(), v.Bots)
	entries := []map[string]any{}
	feed, err := match.NewFeed(snap, 0)
	if err == nil {
		err = feed.Read(snap, func(n match.FeedItem) error {
			if event, _, ok := api.EntryJSON(snap, n, v.Bots); ok {
				entries = append(entries, event)
			}
			return nil
		})
	}
	if err != nil {
		return nil, v.Lobby.InternalError("match not replayed", err, "match", snap.Info.ID)
	}
	all["entries"] = entries
	content, err := json.Marshal(all)
	if err != nil {
		return nil, v.Lobby.InternalError("match not written", err, "match", snap.Info.ID)
	}
	return append(content, '\n'), nil
}

// matchRecord returns the record of the turns that the client may see.
func (v *visit) matchRecord(snap *match.Snapshot) ([]byte, error) {
	var b bytes.Buffer
	if err := record.FromLog(v.SSHTarget, snap.Info, snap.Log).Write(&b); err != nil {
		return nil, v.Lobby.InternalError("record not written", err, "match", snap.Info.ID)
	}
	return b.Bytes(), nil
}

// positionKey identifies the positions of a match.
type positionKey struct {
	match   string
	version int
	lost    int
}

// positions are those of a match before the first turn and after each.
type positions struct {
	all   []engine.Position
	turns []match.Entry
	err   error
}

func (s *Server) positionsOf(snap *match.Snapshot) *positions {
	return s.positions.Get(positionKey{snap.Info.ID, snap.Version, snap.Lost}, func() *positions {
		all, err := snap.Positions()
		return &positions{all, snap.TurnEntries(), err}
	})
}

// matchPageData is what the page of a match shows.
type matchPageData struct {
	layout
	ID       string
	Names    string // of all players
	Game     string
	Terms    string // the clock, and whether it is rated
	Board    template.HTML
	Words    []string // the position in words
	Players  []playerData
	Status   string
	Detail   string // how late the game is shown, and how many watch
	Turn     int
	Turns    []turnData
	Last     int
	First    string // paths of other turns; "": the one that is shown
	Previous string
	Next     string
	Newest   string
	IsLive   bool // the newest position of a running match
	IsOver   bool
	Version  int
	Events   string // the path of the stream
	Files    []linkData
	Watch    string   // the command that watches the match
	Of       linkData // the tournament of which it is a game; without a path: none
}

type playerData struct {
	Mark        template.HTML
	Name, Side  string
	Link        string // of the profile; "": a guest
	Rating      string
	Clock       string
	Left        int64 // milliseconds
	Running     bool  // the clock runs
	ToMove, Won bool
	Score       string
}

type turnData struct {
	Number  int
	Text    string
	Player  string
	Path    string
	Current bool
}

type linkData struct{ Text, Path string }

// matchPage writes a page with the board of a match.
func (v *visit) matchPage(snap *match.Snapshot, name string) error {
	turn, err := v.turn()
	if err != nil {
		return err
	}
	p := v.positionsOf(snap)
	if p.err == nil && turn > len(p.turns) {
		return matchpicture.ErrNoTurn
	}
	return v.writeShared("text/html; charset=utf-8", v.shared(snap, name, turn, func() ([]byte, error) { return v.renderMatch(snap, p, name, turn) }))
}

// renderMatch returns the page of a match after a number of turns. It depends on nothing but the pageKey.
func (v *visit) renderMatch(snap *match.Snapshot, p *positions, name string, turn int) ([]byte, error) {
	g, ok := v.Games.ByName(snap.Info.Game)
	if !ok {
		return nil, errNotFound
	}
	if p.err != nil {
		return nil, v.Lobby.InternalError("match not replayed", p.err, "match", snap.Info.ID)
	}
	wantsNewest := turn == matchpicture.Newest
	newest := len(p.turns)
	isNewest := wantsNewest || turn == newest
	if wantsNewest {
		turn = newest
	}
	d := &matchPageData{ID: snap.Info.ID, Names: names(snap.Info), Game: snap.Info.Title(), Terms: words.Terms(snap.Info.Control, snap.Info.Rated), Turn: turn, Last: newest, IsOver: snap.IsOver(), Version: snap.Version}
	d.layout = v.layout(d.Names + " · " + d.Game)
	d.IsLive = isNewest && !d.IsOver
	d.Status = status(snap, g, p, turn)
	d.Description = d.Game + ". " + d.Status
	if v.URL != nil && !v.isHidden() {
		d.Image = v.URL.JoinPath("m", snap.Info.ID+".png").String()
	}
	state := game.State{Position: p.all[turn], Seat: -1, Static: true}
	if turn > 0 {
		state.LastTurn, state.Previous = p.turns[turn-1].Actions, p.all[turn-1]
	}
	d.Board = safeSVG(matchpicture.Draw(g, state, true).Inline(d.Names+", "+d.Game+". "+d.Status, "board"))
	d.Words = g.DescribePosition(p.all[turn])
	d.Players = v.players(snap, g, p.all[turn], isNewest)
	for i, e := range p.turns {
		text := g.ShortTurn(e.Actions)
		if e.Kind == match.EntryLeave {
			text = "leaves"
		}
		d.Turns = append(d.Turns, turnData{i + 1, text, snap.Info.Seats[e.Seat].Name, v.path(snap, i+1), i+1 == turn})
	}
	if turn > 0 {
		d.First, d.Previous = v.path(snap, 0), v.path(snap, turn-1)
	}
	if turn < newest {
		d.Next = v.path(snap, turn+1)
	}
	if !isNewest || !wantsNewest && !d.IsOver {
		d.Newest = v.path(snap, matchpicture.Newest)
	}
	d.Events = v.withCode(snap, "/m/"+snap.Info.ID+"/events")
	if m, err := v.Lobby.Match(snap.Info.ID); err == nil && !d.IsOver {
		d.Detail = words.Plural(m.SpectatorCount(), "spectator")
		if snap.Info.Delay > 0 {
			d.Detail += " · shown " + words.Plural(snap.Info.Delay, "turn") + " late"
		}
	}
	if t := snap.Info.Tournament; t.ID != "" {
		d.Of = linkData{"Round " + strconv.Itoa(t.Round) + " of a tournament", "/t/" + t.ID}
		if s := v.Lobby.Tournaments.Known(t.ID); s != nil {
			d.Of.Text = s.Terms.Name + ", round " + strconv.Itoa(t.Round)
		}
	}
	d.Files = v.files(snap)
	d.Watch = "ssh -t " + v.SSHTarget + " watch " + snap.Info.ID
	if snap.Info.Private {
		d.Watch += " " + v.code()
	}
	if d.IsOver {
		d.Watch = "ssh -t " + v.SSHTarget + " replay " + snap.Info.ID
	}
	return v.render(name, d)
}

func names(info *match.Info) string {
	all := make([]string, len(info.Seats))
	for i, s := range info.Seats {
		all[i] = s.Name
	}
	return strings.Join(all, " – ")
}

// status returns the result after the last turn of a finished match, or whose turn it is.
func status(snap *match.Snapshot, g game.Game, p *positions, turn int) string {
	if snap.IsOver() && turn == len(p.turns) {
		return withStop(words.ResultAndPlaces(snap, g, -1))
	}
	at := p.all[turn]
	text := snap.Info.Seats[at.Turn()].Name + " to move"
	if turn > 0 {
		e := p.turns[turn-1]
		if e.Kind == match.EntryTurn {
			return withStop(fmt.Sprintf("Turn %d: %s. %s", turn, g.DescribeTurn(at, e.Actions, snap.Info.Seats[e.Seat].Name), text))
		}
	}
	return withStop(text)
}

// players describes the seats in a position.
func (v *visit) players(snap *match.Snapshot, g game.Game, at engine.Position, isNewest bool) []playerData {
	all := make([]playerData, len(snap.Info.Seats))
	now := time.Now()
	for seat, s := range snap.Info.Seats {
		p := &all[seat]
		*p = playerData{Name: s.Name, Side: g.Side(at, seat), Rating: words.SeatRating(s.Rating), Score: g.Score(at, seat), ToMove: at.Turn() == seat && !(snap.IsOver() && isNewest)}
		if s.Account > 0 {
			p.Link = "/u/" + s.Name
		}
		if drawer, ok := g.(game.Picturer); ok {
			mark := &picture.Drawing{Min: picture.Point{X: -0.52, Y: -0.52}, Max: picture.Point{X: 0.52, Y: 0.52}}
			mark.Add(0, 0, drawer.MarkPicture(at, seat))
			p.Mark = safeSVG(mark.Inline(p.Side, "mark"+string(rune('a'+seat))))
		}
		if snap.IsOver() && isNewest && snap.Result != nil {
			for _, winner := range snap.Result.Winners {
				p.Won = p.Won || winner == seat && len(snap.Result.Winners) < len(snap.Info.Seats)
			}
		}
		if left, timed := snap.Remaining(seat, now); timed && isNewest && !snap.Info.Control.IsUntimed() {
			p.Clock, p.Left = words.Clock(left), left.Milliseconds()
			p.Running = snap.RunningSeat == seat && !snap.IsOver() && !snap.Info.Control.IsCorrespondence()
		}
	}
	return all
}

// path returns the path of a turn of the match's page.
func (v *visit) path(snap *match.Snapshot, turn int) string {
	base := "/m/"
	if strings.HasPrefix(v.r.URL.Path, "/embed/") {
		base = "/embed/m/"
	}
	p := base + snap.Info.ID
	if turn != matchpicture.Newest {
		p += "?turn=" + strconv.Itoa(turn)
	}
	return v.withCode(snap, p)
}

// withCode adds the code of a private match, which the client knows, to a path.
func (v *visit) withCode(snap *match.Snapshot, p string) string {
	if !snap.Info.Private {
		return p
	}
	separator := "?"
	if strings.Contains(p, "?") {
		separator = "&"
	}
	return p + separator + "code=" + url.QueryEscape(v.code())
}

// files are the links to what can be kept of a match.
func (v *visit) files(snap *match.Snapshot) []linkData {
	base := "/m/" + snap.Info.ID
	all := []linkData{{"Picture (PNG)", base + ".png"}, {"Board (SVG)", base + ".svg"}}
	if snap.IsOver() {
		all = append(all, linkData{"Animation (GIF)", base + ".gif"})
	}
	all = append(all, linkData{"Terminal recording", base + ".cast"}, linkData{"Game record", base + ".txt"}, linkData{"JSON", base + ".json"})
	for i := range all {
		all[i].Path = v.withCode(snap, all[i].Path)
	}
	return all
}
