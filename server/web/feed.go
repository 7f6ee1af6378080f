package web

import (
	"encoding/xml"
	"time"

	"ayumu/lobby"
	"ayumu/tui/words"
)

// atomFeed is a feed of RFC 4287.
type atomFeed struct {
	XMLName xml.Name    `xml:"http://www.w3.org/2005/Atom feed"`
	ID      string      `xml:"id"`
	Title   string      `xml:"title"`
	Updated string      `xml:"updated"`
	Author  string      `xml:"author>name"`
	Link    atomLink    `xml:"link"`
	Entries []atomEntry `xml:"entry"`
}

type atomLink struct {
	Rel  string `xml:"rel,attr"`
	Href string `xml:"href,attr"`
}

type atomEntry struct {
	ID      string   `xml:"id"`
	Title   string   `xml:"title"`
	Updated string   `xml:"updated"`
	Link    atomLink `xml:"link"`
	Summary string   `xml:"summary"`
}

// feedOfGames serves the finished games of everyone.
func (v *visit) feedOfGames() error {
	lists, err := v.stored()
	if err != nil {
		return err
	}
	return v.writeFeed("Finished games", finishedEntries(lists.finished))
}

// feedOfUser serves the finished games of an account.
func (v *visit) feedOfUser() error {
	name := v.r.PathValue("name")
	all, err := v.archive().Finished(v.ctx, name, "", listedFinished)
	if err != nil {
		return unknownUser(err)
	}
	v.w.Header().Set("X-Robots-Tag", "noindex")
	return v.writeFeed("Finished games of "+name, finishedEntries(all))
}

// feedEntry is an entry of a feed: something that happened on a page.
type feedEntry struct {
	path     string
	fragment string // of its id, where a page has several entries
	title    string
	at       time.Time
	summary  string
}

func finishedEntries(all []lobby.FinishedMatch) []feedEntry {
	entries := make([]feedEntry, 0, len(all))
	for _, m := range all {
		entries = append(entries, feedEntry{"/m/" + m.Info.ID, "", names(m.Info) + ", " + m.Info.Title(), m.Ended, words.DescribeOutcome(&m) + ", " + words.Plural(m.Turns, "turn")})
	}
	return entries
}

// writeFeed writes a feed, newest entry first. Its links have the public address or, without one, that of the request.
func (v *visit) writeFeed(title string, all []feedEntry) error {
	v.kind = "feed"
	v.cacheFor(60)
	base := "http://" + v.r.Host
	if v.URL != nil {
		base = v.URL.Scheme + "://" + v.URL.Host
	}
	f := atomFeed{ID: base + v.r.URL.Path, Title: v.layout("").Site + ": " + title, Author: v.layout("").Site, Link: atomLink{"self", base + v.r.URL.Path}, Updated: time.Unix(0, 0).UTC().Format(time.RFC3339)}
	for i, e := range all {
		at := e.at.UTC().Format(time.RFC3339)
		if i == 0 {
			f.Updated = at
		}
		id := base + e.path
		if e.fragment != "" {
			id += "#" + e.fragment
		}
		f.Entries = append(f.Entries, atomEntry{id, e.title, at, atomLink{"alternate", base + e.path}, e.summary})
	}
	content, err := xml.MarshalIndent(f, "", " ")
	if err != nil {
		return v.Lobby.InternalError("feed not written", err)
	}
	return v.write("application/atom+xml; charset=utf-8", append([]byte(xml.Header), content...))
}
