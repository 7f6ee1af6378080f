package lobby

import (
	"ayumu/engine"
	"ayumu/lobby/match"
)

// The domain types are defined in packages below the lobby, so that its functional cores can use them
// without the lobby. They have their names here as well, because a front end or a store needs most of them
// together and should not import four packages for them.

// Types of package match.
type (
	MatchInfo     = match.Info
	Seat          = match.Seat
	EntryKind     = match.EntryKind
	Entry         = match.Entry
	AppendID      = match.AppendID
	LogEnd        = match.LogEnd
	Snapshot      = match.Snapshot
	OfferKind     = match.OfferKind
	Offer         = match.Offer
	Away          = match.Away
	EventKind     = match.EventKind
	MatchEvent    = match.Event
	Feed          = match.Feed
	FeedItem      = match.FeedItem
	AbortReason   = match.AbortReason
	UnratedReason = match.UnratedReason
	Interest      = match.Interest
)

// Constants of package match.
const (
	EntryTurn   = match.EntryTurn
	EntryUndo   = match.EntryUndo
	EntryLeave  = match.EntryLeave
	EntryEnd    = match.EntryEnd
	EntryCredit = match.EntryCredit

	OfferDraw    = match.OfferDraw
	OfferUndo    = match.OfferUndo
	OfferRematch = match.OfferRematch

	EventDeclined  = match.EventDeclined
	EventExpired   = match.EventExpired
	EventWithdrawn = match.EventWithdrawn
	EventOffered   = match.EventOffered
	EventRefused   = match.EventRefused
	EventVoted     = match.EventVoted

	AbortFirstTurn = match.AbortFirstTurn
	AbortIdle      = match.AbortIdle
	AbortPlayer    = match.AbortPlayer
	AbortEvicted   = match.AbortEvicted

	LeftResigned = match.LeftResigned
	LeftTime     = match.LeftTime
	LeftAbsent   = match.LeftAbsent

	InterestNone   = match.InterestNone
	InterestBots   = match.InterestBots
	InterestPerson = match.InterestPerson
	InterestPeople = match.InterestPeople

	UnratedAborted  = match.UnratedAborted
	UnratedShort    = match.UnratedShort
	UnratedAccount  = match.UnratedAccount
	UnratedRepeated = match.UnratedRepeated
	UnratedUnknown  = match.UnratedUnknown
)

// Title is match.Title.
func Title(o engine.Options) string { return match.Title(o) }

// Digest is match.Digest.
func Digest(p engine.Position) string { return match.Digest(p) }

// NewFeed is match.NewFeed.
func NewFeed(s *Snapshot, version int) (Feed, error) { return match.NewFeed(s, version) }

// EndOf is match.EndOf.
func EndOf(log []Entry) LogEnd { return match.EndOf(log) }

// VerifyLog is match.VerifyLog.
func VerifyLog(info *MatchInfo, log []Entry) error { return match.VerifyLog(info, log) }

// Departures is match.Departures.
func Departures(seats int, log []Entry) []string { return match.Departures(seats, log) }

// Faults is match.Faults.
func Faults(seats int, log []Entry) []bool { return match.Faults(seats, log) }

// IsLongEnough is match.IsLongEnough.
func IsLongEnough(o engine.Options, end Entry) bool { return match.IsLongEnough(o, end) }
