package lobby

import "context"

// rated returns the rating changes of a finished match, or why it changed none. Both are empty for a casual
// match. The store reports its failures itself.
func (l *Lobby) rated(ctx context.Context, info *MatchInfo) ([]RatingChange, UnratedReason) {
	if !info.Rated {
		return nil, ""
	}
	changes, unrated, err := l.store.MatchRatings(ctx, info.ID)
	if err != nil {
		return nil, UnratedUnknown
	}
	return changes, unrated
}
