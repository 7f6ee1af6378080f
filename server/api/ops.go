package api

// operation answers a request. A nil answer is one without fields.
type operation func(*conn, *request) (fields, error)

// byHand has the operations that the API implements for itself, by name.
var byHand map[string]operation

func init() { // a literal would refer to itself by way of the methods
	byHand = map[string]operation{
		"ping":       func(*conn, *request) (fields, error) { return nil, nil },
		"name":       with(accountOps.name),
		"users":      with(lobbyOps.users),
		"tables":     with(lobbyOps.tables),
		"matches":    with(lobbyOps.matches),
		"open":       with(lobbyOps.open),
		"bot":        with(lobbyOps.bot),
		"fill":       with(lobbyOps.fill),
		"quick":      with(lobbyOps.quick),
		"join":       with(lobbyOps.join),
		"decline":    with(lobbyOps.decline),
		"ready":      with(lobbyOps.ready),
		"cancel":     with(lobbyOps.cancel),
		"watch":      with(matchOps.watch),
		"unwatch":    with(matchOps.unwatch),
		"act":        with(matchOps.act),
		"legal":      with(matchOps.legal),
		"hint":       with(matchOps.hint),
		"analysis":   with(matchOps.analysis),
		"conditions": with(conditionOps.list),
		"condition":  with(conditionOps.change),
		"say":        with(matchOps.say),
		"record":     with(archiveOps.record),
		"games":      with(archiveOps.games),
		"top":        with(archiveOps.top),
		"puzzle":     with(puzzleOps.puzzle),
		"puzzles":    with(puzzleOps.list),
		"answer":     with(puzzleOps.answer),
		"profile":    with(archiveOps.profile),

		"puzzle_hint":   with(puzzleOps.hint),
		"puzzle_report": with(puzzleOps.report),
		"announcements": with(clubOps.announcements),
		"read":          with(clubOps.read),
		"reports":       with(clubOps.reports),
		"notifications": with(notificationOps.notifications),
		"notify_test":   with(notificationOps.test),
	}
}

// with returns a method of one of the types of operations as an operation.
func with[T ~struct{ *conn }](do func(T, *request) (fields, error)) operation {
	return func(p *conn, r *request) (fields, error) { return do(T{p}, r) }
}

// accountOps are the operations about the account and other people.
type accountOps struct{ *conn }

func (p accountOps) name(r *request) (fields, error) {
	if r.Name != "" {
		if err := p.s.OwnAccount().Rename(p.ctx, r.Name); err != nil {
			return nil, err
		}
	}
	return fields{"name": p.s.Account().Name}, nil
}
