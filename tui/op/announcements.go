package op

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"ayumu/lobby/club"
	"ayumu/lobby/sanitize"
	"ayumu/tui/jsonform"
	"ayumu/tui/words"
)

// ID is the id of something that the store has numbered; 0: none. It is a string in JSON, as all ids are.
type ID int64

// Kind implements Kind.
func (*ID) Kind() string { return "id" }

// ParseWord implements Kind.
func (id *ID) ParseWord(_ *Visit, word string) error {
	n, err := strconv.ParseInt(word, 10, 64)
	if err != nil || n < 0 {
		return badRequest("%q is not an id; use a number from the list", sanitize.Line(word, 20))
	}
	*id = ID(n)
	return nil
}

// UnmarshalJSON implements json.Unmarshaler. "" is 0.
func (id *ID) UnmarshalJSON(b []byte) error {
	text := strings.Trim(string(b), `"`)
	if text == "" || text == "null" {
		return nil
	}
	if id.ParseWord(nil, text) != nil {
		return &json.UnmarshalTypeError{Value: "string", Type: reflect.TypeFor[ID]()} // encoding/json adds the field
	}
	return nil
}

// maxListed is the maximum number of elements in one answer.
const maxListed = 100

// ListLimit returns the number of elements that somebody asks for; nil: the default.
func ListLimit(limit *int) int {
	if limit == nil {
		return 20
	}
	return min(max(*limit, 1), maxListed)
}

// olderThan is the id of an announcement than which older ones are listed, or the word more.
type olderThan struct {
	ID
	isMore bool
}

// Kind implements Kind.
func (*olderThan) Kind() string { return "id" }

// ParseWord implements Kind.
func (b *olderThan) ParseWord(v *Visit, word string) error {
	if b.isMore = strings.EqualFold(word, "more"); b.isMore {
		if v.Session == nil {
			return badRequest("more works only in a session; give the number at the end of the list")
		}
		return nil
	}
	return b.ID.ParseWord(v, word)
}

// AnnouncementsArgs are the arguments of Announcements.
type AnnouncementsArgs struct {
	Before olderThan `json:"before" arg:"[more|NUMBER]" help:"more: those older than the last ones listed; a number: those older than that one"`
	Limit  *int      `json:"limit"`
}

// AnnouncementsResult has announcements, newest first.
type AnnouncementsResult struct {
	list    []club.Announcement
	hasMore bool // after the last one
}

// Announcements lists the announcements of the club. Those that have not appeared yet are only for those who may write them.
var Announcements = New(Spec[AnnouncementsArgs, AnnouncementsResult]{
	Info: Info{Name: "announcements", Help: "read the announcements of the club, newest first", Group: GroupPeople, On: On{Screen: As("lobby")}},
	Run: func(ctx context.Context, v *Visit, in AnnouncementsArgs) (r AnnouncementsResult, err error) {
		from, limit := int64(in.Before.ID), ListLimit(in.Limit)
		if in.Before.isMore {
			from = v.olderThan
		}
		if r.list, err = v.Bulletin.List(ctx, from, limit+1, v.Can(club.PermissionAnnounce)); err != nil {
			return r, err
		}
		if r.hasMore = len(r.list) > limit; r.hasMore {
			r.list = r.list[:limit]
		}
		if n := len(r.list); n > 0 {
			v.olderThan = r.list[n-1].ID
		}
		return r, nil
	},
	Text: func(_ *Visit, _ AnnouncementsArgs, r AnnouncementsResult) (t Text) {
		if len(r.list) == 0 {
			return Say("No announcements.")
		}
		for i, a := range r.list {
			if i > 0 {
				t.Lines = append(t.Lines, "")
			}
			t.Lines = append(t.Lines, words.AnnouncementHeading(a), a.Text)
		}
		if r.hasMore {
			t.Rows = &Rows{Next: fmt.Sprint("announcements ", r.list[len(r.list)-1].ID)}
		}
		return t
	},
	JSON: func(_ *Visit, r AnnouncementsResult) any {
		all := struct {
			Announcements []jsonform.Announcement `json:"announcements"`
		}{[]jsonform.Announcement{}}
		for _, a := range r.list {
			all.Announcements = append(all.Announcements, jsonform.NewAnnouncement(a))
		}
		return all
	},
})

// ReadArgs are the arguments of Read.
type ReadArgs struct {
	Announcement ID `json:"announcement" arg:"ANNOUNCEMENT"`
}

// Read stores that the user has read an announcement and all that appeared before it.
var Read = New(Spec[ReadArgs, None]{
	Info: Info{Name: "read", Help: "mark an announcement and those before it as read", Group: GroupPeople, Effect: Changes,
		On: On{Line: Not("what is printed is read"), SSH: Not("nothing is printed at sign-in there"), Screen: As("announcements")}},
	Run: func(ctx context.Context, v *Visit, in ReadArgs) (None, error) {
		id := int64(in.Announcement)
		list, err := v.Bulletin.List(ctx, id+1, 1, v.Can(club.PermissionAnnounce))
		if err != nil {
			return None{}, err
		}
		if id == 0 || len(list) != 1 || list[0].ID != id {
			return None{}, badRequest("there is no such announcement")
		}
		if !list[0].Appeared().After(v.readUntil) {
			return None{}, nil
		}
		v.readUntil = list[0].Appeared()
		return None{}, v.Notices.MarkRead(ctx, list[0])
	},
	Text: func(*Visit, ReadArgs, None) Text { return Say("Marked as read.") },
})
