package web

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"html/template"
	"io/fs"
	"net/http"
	"path"
	"strings"
	"sync"
	"time"

	"ayumu/lobby"
	"ayumu/lobby/account"
	"ayumu/lobby/tournament"
	"ayumu/tui/op"
	"ayumu/tui/words"
)

//go:embed templates assets
var files embed.FS

var templates = template.Must(template.ParseFS(files, "templates/*.html"))

// assets has the embedded files by names with a hash of their content, so that others may keep them for ever.
var assets, assetNames = hashAssets()

func hashAssets() (content map[string][]byte, names map[string]string) {
	content, names = make(map[string][]byte), make(map[string]string)
	all, err := fs.ReadDir(files, "assets")
	if err != nil {
		panic(err) // embedded
	}
	for _, f := range all {
		raw, err := files.ReadFile("assets/" + f.Name())
		if err != nil {
			panic(err)
		}
		sum := sha256.Sum256(raw)
		ext := path.Ext(f.Name())
		name := strings.TrimSuffix(f.Name(), ext) + "-" + hex.EncodeToString(sum[:6]) + ext
		content[name], names[f.Name()] = raw, name
	}
	return content, names
}

// assetPath returns the path of an embedded file.
func assetPath(name string) string { return "/assets/" + assetNames[name] }

var assetTypes = map[string]string{".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml"}

// assetAge is a year, in seconds.
const assetAge = 31536000

func (v *visit) asset() error {
	v.kind = "asset"
	name := v.r.PathValue("file")
	content, ok := assets[name]
	if !ok {
		return errNotFound
	}
	v.w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
	return v.write(assetTypes[path.Ext(name)], content)
}

func (v *visit) favicon() error {
	v.kind = "asset"
	v.cacheFor(assetAge)
	return v.write(assetTypes[".svg"], assets[assetNames["icon.svg"]])
}

func (v *visit) robots() error {
	v.kind = "asset"
	v.cacheFor(assetAge)
	return v.write("text/plain; charset=utf-8", []byte("User-agent: *\nDisallow: /u/\nDisallow: /feed/\n"))
}

func (v *visit) healthz() error {
	v.kind = "health"
	v.w.Header().Set("Cache-Control", "no-store")
	select {
	case <-v.draining:
		return &statusError{http.StatusServiceUnavailable, "draining"}
	default:
	}
	return v.write("text/plain; charset=utf-8", []byte("ok\n"))
}

// Numbers of what the first page lists.
const (
	listedRunning  = 12
	listedFinished = 12

	listedTournaments = 6
)

// listAge is how long the lists of the first page may be out of date.
const listAge = 5 * time.Second

// cachedPage keeps what the first page lists. Any goroutine may use it.
type cachedPage struct {
	mu    sync.Mutex
	until time.Time
	lists *storedLists
}

// storedLists is what the first page lists of the store.
type storedLists struct {
	finished    []lobby.FinishedMatch
	tournaments []lobby.TournamentListing
	names       tournament.Names // of users in tournaments
}

type indexData struct {
	layout
	IsClosed bool
	Running  []matchCard
	Finished []matchCard
	More     int // running matches that are not listed
	Puzzles  []linkData
	Feed     string

	Tournaments []tournamentCard
}

type tournamentCard struct{ Name, Path, Detail, State string }

type matchCard struct {
	ID, Names, Game, Detail, Path, Picture string
}

// index serves the first page: the games to watch and how to connect.
func (v *visit) index() error {
	v.kind = "index"
	d := &indexData{layout: v.layout("Watch"), IsClosed: v.closed, Feed: "/feed/games"}
	d.Description = "Board games over SSH: watch live, and play with " + d.Command
	if v.closed {
		v.cacheFor(0)
		return v.page("index.html", d)
	}
	v.cacheFor(int(listAge.Seconds()))
	matches := v.Lobby.View().WatchableBy(0)
	for i, m := range matches {
		if i == listedRunning {
			d.More = len(matches) - i
			break
		}
		c := matchCard{ID: m.ID, Names: names(m.Info), Game: m.Info.Title(), Path: "/m/" + m.ID, Picture: "/m/" + m.ID + ".svg?size=240"}
		c.Detail = words.Terms(m.Info.Control, m.Info.Rated) + " · " + words.Plural(m.Turns, "turn")
		if m.Info.Delay > 0 { // the newest number of turns is for the players
			c.Detail = words.Terms(m.Info.Control, m.Info.Rated)
		}
		d.Running = append(d.Running, c)
	}
	lists, err := v.stored()
	if err != nil {
		return err
	}
	for _, f := range lists.finished {
		d.Finished = append(d.Finished, finishedCard(&f))
	}
	for _, t := range lists.tournaments {
		d.Tournaments = append(d.Tournaments, tournamentCard{t.Name, "/t/" + t.ID, t.Game + ", " + t.Clock + ", " + op.FormatTitle(t.Format), sentence(op.ListingState(&t, lists.names))})
	}
	for _, g := range v.Games {
		if v.puzzleOfDay(g.Name()) != nil {
			d.Puzzles = append(d.Puzzles, linkData{"Puzzle of the day: " + g.Engine().Title(), "/puzzle/" + g.Name()})
		}
	}
	return v.page("index.html", d)
}

func finishedCard(f *lobby.FinishedMatch) matchCard {
	return matchCard{ID: f.Info.ID, Names: names(f.Info), Game: f.Info.Title(), Detail: words.DescribeOutcome(f) + " · " + words.Plural(f.Turns, "turn"), Path: "/m/" + f.Info.ID, Picture: "/m/" + f.Info.ID + ".svg?size=240"}
}

// stored returns the newest finished matches and tournaments, which are read about once in listAge for all clients.
func (v *visit) stored() (*storedLists, error) {
	c := &v.lists
	if all, ok := c.get(time.Now()); ok {
		return all, nil
	}
	all, err := v.readLists()
	if err != nil {
		return nil, err
	}
	c.set(all, time.Now())
	return all, nil
}

func (v *visit) readLists() (all *storedLists, err error) {
	all = new(storedLists)
	if all.finished, err = v.Lobby.Archive.FinishedMatches(v.ctx, 0, "", "", listedFinished); err != nil {
		return nil, err
	}
	if all.tournaments, err = v.Lobby.Tournaments.List(v.ctx, lobby.TournamentQuery{Limit: listedTournaments}); err != nil {
		return nil, err
	}
	var winners []account.ID
	for i := range all.tournaments {
		winners = append(winners, all.tournaments[i].Winners...)
	}
	all.names, err = v.Lobby.Tournaments.Names(v.ctx, winners)
	return all, err
}

// get returns the lists; false if they are too old. Then the caller reads them, and others get the old ones meanwhile.
func (c *cachedPage) get(now time.Time) (all *storedLists, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if now.Before(c.until) {
		return c.lists, true
	}
	if c.lists != nil {
		c.until = now.Add(listAge)
	}
	return nil, false
}

func (c *cachedPage) set(all *storedLists, now time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.lists, c.until = all, now.Add(listAge)
}

type profileData struct {
	layout
	Name     string
	IsBot    bool
	Joined   string
	Ratings  []ratingData
	Finished []matchCard
	Feed     string
}

type ratingData struct{ Pool, Rating, Games string }

// profile serves the ratings and finished games of an account.
func (v *visit) profile() error {
	v.kind = "profile"
	a := v.archive()
	p, err := a.Profile(v.ctx, v.r.PathValue("name"))
	if err != nil {
		return unknownUser(err)
	}
	finished, err := a.Finished(v.ctx, p.Account.Name, "", listedFinished)
	if err != nil {
		return err
	}
	v.w.Header().Set("X-Robots-Tag", "noindex")
	v.cacheFor(60)
	d := &profileData{layout: v.layout(p.Account.Name), Name: p.Account.Name, IsBot: p.Account.Bot, Joined: words.Date(p.Account.CreatedAt), Feed: "/feed/u/" + p.Account.Name}
	d.NoIndex = true
	for _, pool := range words.RatingPools(v.Games) {
		if r, ok := p.Account.Ratings[pool.Key]; ok {
			d.Ratings = append(d.Ratings, ratingData{pool.LongTitle, words.RatingWithDeviation(r), words.Plural(r.Games, "rated game")})
		}
	}
	for _, f := range finished {
		d.Finished = append(d.Finished, finishedCard(&f))
	}
	return v.page("profile.html", d)
}

// unknownUser makes the error of a name that no account has a page that is not found.
func unknownUser(err error) error {
	if code, _ := lobby.PublicError(err); code == "bad_request" {
		return &statusError{http.StatusNotFound, "There is no player with this name."}
	}
	return err
}
