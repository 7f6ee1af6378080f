package tournaments

import (
	"fmt"
	"image"
	"slices"
	"strconv"
	"strings"
	"time"

	"ayumu/lobby"
	"ayumu/lobby/tournament"
	"ayumu/tui/game"
	"ayumu/tui/paint"
	"ayumu/tui/screen"
	"ayumu/tui/screen/preview"
	"ayumu/tui/widget"
	"ayumu/tui/words"
)

// Sizes of the layout.
const (
	minSideWindow = 112 // columns; a wider window has a board, the games of the round and the chat beside the table
	maxSide       = 62  // of it without a board
	minTableWidth = 68  // beside a board
	minBelowBoard = 7   // rows of the games and the chat below a board, or a quarter of all
	maxTableWidth = 136
	minChatBelow  = 30 // rows of a window without a side that has the chat below
	chatBelow     = 6  // rows of it
)

// Draw implements screen.Screen.
func (v *tournamentScreen) Draw(c paint.Canvas) {
	now, t := time.Now(), v.Shell.Style.Theme
	w, h := c.Size()
	me := v.me()
	right := me.Name
	if r, ok := me.Rating(v.sheet.Terms.Pool()); ok && r.Games > 0 {
		right += " · " + words.Rating(r)
	}
	widget.DrawHeader(c, t, v.sheet.Terms.Name, v.sheet.terms(), right)
	if side, board := v.side(w, h-2); side > 0 {
		v.drawSide(c.Sub(w-side, 2, side, h-2), board)
		w = min(w-side-2, maxTableWidth)
	} else if lines := v.chatLines(); h >= minChatBelow && len(lines) > 0 {
		v.drawChat(c.Sub(0, h-chatBelow-1, w, chatBelow+1), lines)
		h -= chatBelow + 2
	}
	c = c.Sub(0, 0, w, h)
	phase, _ := v.sheet.phase(now)
	y := 1
	for _, line := range widget.Wrap(phase, w-2) {
		c.Text(1, y, t.Text, line)
		y++
	}
	if h >= 18 {
		y++
	}
	y = v.drawTabs(c, y) + 1
	if h >= 18 {
		y++
	}
	own, isDue, _ := v.ownLine(now)
	lines := widget.Wrap(own, w-2)
	h -= len(lines) + 1
	if v.part == partTable { // what is said about the user stands below the table
		h = min(h, y+1+max(len(v.sheet.standings), 2))
	}
	v.list = image.Rect(0, y, w, h)
	v.drawPart(c.Sub(0, y, w, h-y), y, now)
	if rest := v.rows() - v.last; rest > 0 {
		text := fmt.Sprintf("%d more ↓", rest)
		c.Text(w-paint.Width(text)-1, h, t.Dim, text)
	}
	style := t.Text
	if isDue {
		style = t.Notice
	}
	for i, line := range lines {
		c.Text(1, h+1+i, style, line)
	}
}

// drawPart draws the rows of the part that is shown. y is the row of the window where c begins.
func (v *tournamentScreen) drawPart(c paint.Canvas, y int, now time.Time) {
	t := v.Shell.Style.Theme
	w, _ := c.Size()
	v.last = v.rows()
	empty := ""
	switch {
	case v.part == partRules:
		v.drawRules(c)
		return
	case v.part == partTable && len(v.sheet.Players) == 0:
		empty = "Nobody has entered yet."
		if v.mayEnter() {
			empty += " Press y to be the first."
		}
	case v.part == partTable:
		v.drawTable(c, y)
	case len(v.sheet.Rounds) == 0:
		empty = "No round has been paired yet: the games begin by themselves when the tournament starts."
	case v.part == partRound:
		v.drawGames(c, now)
	default:
		v.drawRounds(c, y)
	}
	for i, line := range widget.Wrap(empty, min(w-4, widget.ColumnWidth)) {
		c.Text(2, i, t.Dim, line)
	}
}

// drawTabs draws the parts and the number of players, and returns the row.
func (v *tournamentScreen) drawTabs(c paint.Canvas, y int) int {
	t := v.Shell.Style.Theme
	w, _ := c.Size()
	x := 1
	for p := range partCount {
		title := v.partTitle(p)
		style, text := t.Dim, " "+title+" "
		if p == v.part {
			style, text = t.Selected, "["+title+"]"
		}
		n := c.Text(x, y, style, text)
		v.tabs[p] = image.Rect(x, y, x+n, y+1)
		x += n
	}
	if text := v.sheet.counts(); x+paint.Width(text)+2 < w {
		c.Text(w-paint.Width(text)-1, y, t.Dim, text)
	}
	return y
}

// tableColumn is a column of the table behind the names.
type tableColumn struct {
	title string
	width int // without the gap
	rank  int
	right bool // at the right edge
	text  func(at *tournament.Standing) string
	style func(text string) (paint.Style, bool)
}

// shortTitle returns the title of a tie-break for a column.
func shortTitle(b tournament.TieBreak) string {
	switch b {
	case tournament.TieBreakBuchholz:
		return "Buchh."
	case tournament.TieBreakSonnebornBerger:
		return "S–B"
	case tournament.TieBreakDirect:
		return "Direct"
	case tournament.TieBreakWins:
		return "Wins"
	case tournament.TieBreakWinsSecond:
		return "2nd w."
	case tournament.TieBreakOpponents:
		return "Opp."
	case tournament.TieBreakPerformance:
		return "Perf."
	}
	return string(b)
}

// points formats points for the terminal.
func (v *tournamentScreen) points(n int) string { return v.plain(tournament.FormatPoints(n)) }

// pointsText formats points with the word.
func (v *tournamentScreen) pointsText(n int) string {
	return v.plain(tournament.PointsText(n))
}

// plain returns a text with points for the terminal.
func (v *tournamentScreen) plain(text string) string {
	if v.Shell.Style.ASCII {
		text = strings.ReplaceAll(text, "½", ".5")
	}
	return text
}

// columns returns the columns of a table behind the names. division is that of a round robin, or 0. The ranks are in the order in
// which columns appear as the window becomes wider.
func (v *tournamentScreen) columns(division int) (all []tableColumn) {
	s := v.sheet
	rank := 0
	next := func() int { rank++; return rank - 1 }
	points := tableColumn{title: "Points", width: 6, rank: next(), right: true, text: func(at *tournament.Standing) string { return v.points(at.Points) }}
	if !s.HasStarted() {
		all = append(all, tableColumn{title: "Rating", width: 6, rank: 0, right: true, text: func(at *tournament.Standing) string { return strconv.Itoa(s.Players[at.Player].Rating) }})
		if s.Phase == tournament.PhaseCheckIn {
			all = append(all, tableColumn{title: "Check-in", width: 8, rank: 1, text: func(at *tournament.Standing) string { return s.statusOf(at.Player) }})
		}
		return all
	}
	var results []tableColumn
	if s.Terms.Format == tournament.FormatRoundRobin {
		players := s.division(division)
		width := max(s.Terms.Legs, len(strconv.Itoa(len(players))))
		for i, other := range players {
			results = append(results, tableColumn{title: strconv.Itoa(i + 1), width: width, rank: next(), text: func(at *tournament.Standing) string { return s.crossCell(at.Player, other) }, style: v.markStyle})
		}
	} else {
		width := 4
		if len(s.Players) > 99 {
			width = 5
		}
		results = make([]tableColumn, len(s.Rounds))
		for n := len(s.Rounds); n > 0; n-- { // the latest ones in narrow windows
			results[n-1] = tableColumn{title: strconv.Itoa(n), width: width, rank: next(), text: func(at *tournament.Standing) string {
				return v.plain(s.roundCell(at.Player, n))
			}, style: v.markStyle}
		}
	}
	var ties []tableColumn
	add := func(n int, b tournament.TieBreak) {
		title := shortTitle(b)
		ties = append(ties, tableColumn{title: title, width: max(paint.Width(title), 5), rank: next(), right: true, text: func(at *tournament.Standing) string {
			if b.IsPoints() {
				return v.points(at.TieBreaks[n])
			}
			return strconv.Itoa(at.TieBreaks[n])
		}})
	}
	breaks := s.Terms.TieBreaks()
	add(0, breaks[0])
	rating := tableColumn{title: "Rating", width: 6, rank: next(), right: true, text: func(at *tournament.Standing) string { return strconv.Itoa(s.Players[at.Player].Rating) }}
	possible := tableColumn{title: "Can be", width: 7, right: true, text: func(at *tournament.Standing) string {
		r := s.possible[at.Player]
		if r.Best == r.Worst {
			return strconv.Itoa(r.Best)
		}
		return fmt.Sprintf("%d–%d", r.Best, r.Worst)
	}}
	hasPossible := s.possible != nil && !s.IsOver()
	if hasPossible {
		possible.rank = next()
	}
	for n, b := range breaks[1:] {
		add(n+1, b)
	}
	all = append(append([]tableColumn{rating}, results...), points)
	all = append(all, ties...)
	if hasPossible {
		all = append(all, possible)
	}
	return all
}

// markStyle returns the style of a result.
func (v *tournamentScreen) markStyle(text string) (paint.Style, bool) {
	t := v.Shell.Style.Theme
	switch {
	case strings.HasPrefix(text, markRunning):
		return t.Notice, true
	case strings.HasPrefix(text, markWon), strings.HasPrefix(text, "1/"):
		return t.Good, true
	case text == markSelf, text == markToCome:
		return t.Dim, true
	}
	return paint.Style{}, false
}

// placeColumns is the width of the mark of the selected row and the place, and maxFirstNames the largest one of the names while
// other columns need the space.
const (
	placeColumns  = 6
	maxFirstNames = 19
)

// drawTable draws the standings, in each division of a round robin its own. y is the row of the window where c begins.
func (v *tournamentScreen) drawTable(c paint.Canvas, y int) {
	s, t := v.sheet, v.Shell.Style.Theme
	w, h := c.Size()
	c = c.Sub(0, 0, w, h)
	isDivided := s.HasStarted() && s.Terms.Divisions > 1
	cursor := &v.cursors[partTable]
	titles := 1
	from, to := cursor.Window(y+titles, h-titles, len(s.standings))
	v.last = to
	division := s.Players[s.standings[from].Player].Division
	if isDivided { // that of the cursor, so that the titles are those of its opponents
		division = s.Players[s.standings[min(cursor.Index, len(s.standings)-1)].Player].Division
	}
	columns := v.columns(division)
	plain := make([]widget.Column, len(columns))
	for i, column := range columns {
		plain[i] = widget.Column{Width: column.width + 1, Rank: column.rank}
	}
	names := 0
	for i := range s.Players {
		names = max(names, paint.Width(s.name(i)))
		if i == v.own() || s.statusOf(i) != "" {
			names = max(names, paint.Width(s.name(i))+len(" paused"))
		}
	}
	first := min(max(names+2, 14), maxFirstNames) // at least as wide as the shortest name needs that is paused
	if w < 60 {
		first = 13
	}
	layout := widget.LayOut(plain, first, w-placeColumns-1)
	if most := max(names+2, first); layout.First > most { // what is read together stands together
		layout = widget.LayOut(plain, first, w-placeColumns-1-(layout.First-most))
	}
	places := layout.Places()
	title := "Player"
	if isDivided {
		title = "Division " + strconv.Itoa(division)
	}
	c.Text(placeColumns, 0, t.Dim, paint.Cut(title, layout.First-1))
	for i, column := range columns {
		if places[i] >= 0 {
			drawCell(c.Sub(placeColumns+places[i], 0, column.width, 1), t.Dim, column.title, column.right)
		}
	}
	me := v.own()
	for i := from; i < to; i++ {
		at := &s.standings[i]
		row := c.Sub(0, titles+i-from, w, 1)
		style, dim := cursor.RowStyles(row, t, i, 0)
		isSelected := i == cursor.Index
		p := &s.Players[at.Player]
		if at.Player == me && !isSelected {
			style = t.Strong
		}
		if (!p.IsIn() || isDivided && p.Division != division) && !isSelected {
			style = dim
		}
		place := strconv.Itoa(at.Place) + "."
		row.Text(placeColumns-1-len(place), 0, dim, place)
		v.drawName(row.Sub(placeColumns, 0, layout.First-1, 1), at.Player, at.Player == me, style, dim)
		if isDivided && p.Division != division {
			row.Text(placeColumns+layout.First, 0, dim, "division "+strconv.Itoa(p.Division)+", "+v.pointsText(at.Points))
			continue
		}
		for n, column := range columns {
			if places[n] < 0 {
				continue
			}
			text, own := column.text(at), dim
			if column.title == "Points" && !isSelected {
				own = style
			}
			if column.style != nil && !isSelected {
				if marked, ok := column.style(text); ok {
					own = marked
				}
			}
			drawCell(row.Sub(placeColumns+places[n], 0, column.width, 1), own, text, column.right)
		}
	}
}

// drawCell draws a text in a cell.
func drawCell(c paint.Canvas, s paint.Style, text string, right bool) {
	w, _ := c.Size()
	text = paint.Cut(text, w)
	x := 0
	if right {
		x = w - paint.Width(text)
	}
	c.Text(x, 0, s, text)
}

// drawName draws the name of a player, and whether that is the user and takes part.
func (v *tournamentScreen) drawName(c paint.Canvas, player int, isOwn bool, style, dim paint.Style) {
	w, _ := c.Size()
	suffix := ""
	if isOwn {
		suffix = " you"
	}
	if status := v.sheet.statusOf(player); status != "" && (status == "out" || status == "paused") && !v.sheet.IsOver() {
		suffix += " " + status
	}
	if w-len(suffix) < 6 {
		suffix = ""
	}
	n := c.Text(0, 0, style, paint.Cut(v.sheet.name(player), w-len(suffix)))
	c.Text(n, 0, dim, suffix)
}

// line is a line of the games of a round.
type line struct {
	text, right string
	game        int // index; -1: between games
	style       paint.Style
	isTitle     bool
	isReason    bool // why the game was decided
}

// gameLines returns the lines of the games of a round.
func (v *tournamentScreen) gameLines(games []*tournament.Game, width int) (all []line) {
	s, t := v.sheet, v.Shell.Style.Theme
	me := v.own()
	for i, g := range games {
		isOwn := slices.Contains(g.Seats, me)
		style := t.Text
		if isOwn {
			style = t.Strong
		}
		switch {
		case g.Table == 0:
			text := s.name(g.Seats[0]) + ": "
			if g.Kind == tournament.GameBye {
				text += "no opponent, " + v.pointsText(g.Points[0])
			} else {
				text += "was not there"
			}
			all = append(all, line{text: text, game: i, style: t.Dim})
		case len(g.Seats) > 2:
			if len(all) > 0 {
				all = append(all, line{game: -1})
			}
			all = append(all, line{text: fmt.Sprintf("Table %d", g.Table), right: v.gameState(g), game: i, style: t.Title, isTitle: true})
			counts := v.counts(g)
			order := make([]int, len(g.Seats))
			for seat := range order {
				order[seat] = seat
			}
			if g.Places != nil {
				slices.SortStableFunc(order, func(a, b int) int { return g.Places[a] - g.Places[b] })
			}
			for _, seat := range order {
				p := g.Seats[seat]
				own := t.Text
				if p == me {
					own = t.Strong
				}
				text, right := "  "+s.name(p), tournament.Ordinal(s.place[p])+" of the standing"
				switch {
				case g.Places != nil:
					text = fmt.Sprintf("  %s %s", s.name(p), wonOr(g, seat))
					right = v.sum(s.pointsBefore(p, g.Round), g.Points[seat])
					if counted := text + ", " + v.counted(g, seat); g.Scores != nil && paint.Width(counted)+paint.Width(right) <= width-4 {
						text = counted
					}
				case counts != nil && counts[seat] != "":
					text, right = text+", "+tournament.Ordinal(s.place[p]), counts[seat]
				}
				all = append(all, line{text: text, right: right, game: i, style: own})
			}
		default:
			player := func(seat int) string {
				p := g.Seats[seat]
				text := s.name(p)
				if width >= 60 {
					text += " (" + tournament.Ordinal(s.place[p]) + ")"
				}
				return text
			}
			all = append(all, line{text: fmt.Sprintf("%2d  %s – %s", g.Table, player(0), player(1)), right: v.gameState(g), game: i, style: style})
		}
		if reason := g.Reason(); reason != "" {
			for _, text := range widget.Wrap(words.Sentence(reason), width-8) {
				all = append(all, line{text: "    " + text, game: i, style: t.Dim, isReason: true})
			}
		}
	}
	return all
}

// sum returns the points of a game, added to those before it if there are any: "½ + 0.67 = 1.17".
func (v *tournamentScreen) sum(before, points int) string {
	if before == 0 {
		return v.points(points)
	}
	return v.points(before) + " + " + v.points(points) + " = " + v.points(before+points)
}

// counts returns for each seat of a running game how far it is, as spectators see the game; nil: that is not known.
func (v *tournamentScreen) counts(g *tournament.Game) []string {
	m := v.listing(g)
	if m == nil {
		return nil
	}
	return screen.SharedPart[sheets](v.Shell.Shared).counts.Get(countsKey{m.ID, m.Version}, func() []string {
		kind, _ := v.Shell.Config.Games.ByName(m.Info.Game)
		counter, ok := kind.(game.Counter)
		running, err := v.Shell.Session.Lobby().Match(m.ID)
		if !ok || err != nil {
			return nil
		}
		all, position := make([]string, len(m.Info.Seats)), running.Snapshot().Position
		for seat := range all {
			all[seat] = counter.Counts(position, seat)
		}
		return all
	})
}

// counted returns the score of a seat of a game that has ended, in words.
func (v *tournamentScreen) counted(g *tournament.Game, seat int) string {
	if g.Scores == nil {
		return ""
	}
	kind, _ := v.Shell.Config.Games.ByName(v.sheet.Terms.Options.Game().Name())
	if counter, ok := kind.(game.Counter); ok {
		return counter.Counted(g.Scores[seat])
	}
	return strconv.Itoa(g.Scores[seat])
}

// wonOr returns the place of a seat at a table in a word.
func wonOr(g *tournament.Game, seat int) string {
	if markOf(g, seat) == markWon {
		return "won"
	}
	return tournament.Ordinal(g.Places[seat])
}

// gameState says how a game stands: its result, or the turn that its spectators see.
func (v *tournamentScreen) gameState(g *tournament.Game) string {
	if !g.IsOver() {
		text := markRunning + " running"
		if m := v.listing(g); m != nil {
			text = markRunning + " turn " + strconv.Itoa(m.Turns)
			if len(g.Seats) > 2 && m.Turn < len(m.Info.Seats) {
				text += ", " + m.Info.Seats[m.Turn].Name + " to move"
			}
		}
		return text
	}
	text := ""
	switch {
	case len(g.Seats) > 2:
		text = "ended"
	default:
		text = v.points(g.Points[0]) + " : " + v.points(g.Points[1])
	}
	switch g.Kind {
	case tournament.GameNoShow:
		text += ", no-show"
	case tournament.GameRuled:
		text += ", decided"
	}
	return text
}

// listing returns the match of a running game in the lobby's lists; nil: it is not there.
func (v *tournamentScreen) listing(g *tournament.Game) *lobby.MatchListing {
	id := tournament.MatchID(v.sheet.ID, g.Round, g.Table)
	for _, m := range v.Shell.Session.Lobby().View().Matches {
		if m.ID == id {
			return m
		}
	}
	return nil
}

// drawGames draws the games of a round.
func (v *tournamentScreen) drawGames(c paint.Canvas, _ time.Time) {
	t := v.Shell.Style.Theme
	w, h := c.Size()
	w = min(w, maxGameWidth)
	games := v.games()
	cursor := &v.cursors[partRound]
	cursor.Move(0, len(games))
	lines := v.gameLines(games, w)
	first, last := -1, 0
	for i, l := range lines {
		if l.game == cursor.Index {
			if last = i; first < 0 {
				first = i
			}
		}
	}
	first = max(first, 0)
	v.top = max(min(v.top, first, len(lines)-h), last-h+1, 0)
	v.rowLines, v.last = v.rowLines[:0], 0
	for y, l := range lines[v.top:min(v.top+h, len(lines))] {
		v.rowLines, v.last = append(v.rowLines, l.game), max(v.last, l.game+1)
		row := c.Sub(0, y, w, 1)
		style, dim := l.style, t.Dim
		if strings.HasPrefix(l.right, markRunning) {
			dim = t.Notice
		}
		if l.game == cursor.Index && l.game >= 0 && !l.isReason && (l.isTitle || !v.sheet.isAtTables() || games[l.game].Table == 0) {
			row.Fill(0, 0, w, 1, t.Selected, ' ')
			row.Text(0, 0, t.Selected, "›")
			style, dim = t.Selected, t.Selected
		}
		rw := paint.Width(l.right)
		row.Text(2, 0, style, paint.Cut(l.text, w-rw-4))
		row.Text(w-rw-1, 0, dim, l.right)
	}
}

// maxGameWidth is the maximum width of the games of a round and of all rounds.
const maxGameWidth = 84

// drawRounds draws a row for each round, the latest first. y is the row of the window where c begins.
func (v *tournamentScreen) drawRounds(c paint.Canvas, y int) {
	s, t := v.sheet, v.Shell.Style.Theme
	w, h := c.Size()
	w = min(w, maxGameWidth)
	cursor := &v.cursors[partRounds]
	from, to := cursor.Window(y, h, len(s.Rounds))
	v.last = to
	me := v.own()
	for i := from; i < to; i++ {
		r := &s.Rounds[len(s.Rounds)-1-i]
		row := c.Sub(0, i-from, w, 1)
		style, dim := cursor.RowStyles(row, t, i, 0)
		when := nearTime(r.Paired, time.Now())
		games, running := 0, 0
		for _, g := range r.Games {
			if g.Table > 0 {
				games++
			}
			if !g.IsOver() {
				running++
			}
		}
		state := words.Plural(games, "game")
		if running > 0 {
			state += ", " + strconv.Itoa(running) + " running"
		}
		x := 2 + row.Text(2, 0, style, fmt.Sprintf("Round %-3d", r.Number))
		row.Text(x+1, 0, dim, when)
		row.Text(x+14, 0, dim, state)
		if me >= 0 && w >= 60 {
			if g, seat := s.gameOf(me, r.Number); g != nil {
				text := "you: " + v.ownResult(g, seat)
				row.Text(w-paint.Width(text)-1, 0, style, text)
			}
		}
	}
}

// ownResult says what the user did in a game.
func (v *tournamentScreen) ownResult(g *tournament.Game, seat int) string {
	switch {
	case g.Kind == tournament.GameBye:
		return "no opponent, " + v.pointsText(g.Points[0])
	case g.Table == 0:
		return "not there"
	}
	if len(g.Seats) > 2 {
		if g.Places == nil {
			return "running"
		}
		return tournament.Ordinal(g.Places[seat]) + " of " + strconv.Itoa(len(g.Seats))
	}
	with := " " + v.sheet.name(g.Seats[1-seat])
	switch markOf(g, seat) {
	case markRunning:
		return "against" + with
	case markWon:
		return "won against" + with
	case markDrawn:
		return "drew with" + with
	}
	return "lost to" + with
}

// drawRules draws the terms as text.
func (v *tournamentScreen) drawRules(c paint.Canvas) {
	t := v.Shell.Style.Theme
	w, h := c.Size()
	width := min(w-4, widget.ColumnWidth)
	var lines []string
	for _, paragraph := range v.sheet.rules() {
		lines = append(lines, widget.Wrap(paragraph, width)...)
	}
	if len(lines) > h {
		h-- // for the arrow
	}
	from, to := v.rules.Window(h, len(lines))
	for y, text := range lines[from:to] {
		c.Text(2, y, t.Text, text)
	}
	if v.rules.Rest() > 0 && h > 0 {
		c.Text(w-10, h, t.Dim, "more ↓")
	}
}

// sideBoard is the board beside the table.
type sideBoard struct {
	*preview.Preview
	game *tournament.Game
	rows int
}

// side returns the width of what is beside the table in a window of w columns, 0 for nothing, and the board in it if one fits in h
// rows.
func (v *tournamentScreen) side(w, h int) (width int, board *sideBoard) {
	if w < minSideWindow {
		return 0, nil
	}
	if g := v.boardGame(); g != nil {
		if p := v.boards.OfMatch(v.Shell, v.listing(g)); p != nil {
			width = min(w-minTableWidth-2, max(w*47/100, maxSide))
			if rows := p.Rows(width, h-1-max(minBelowBoard, h/4)); rows > 0 {
				return width, &sideBoard{p, g, rows}
			}
		}
	}
	return min(w*35/100, maxSide), nil
}

// boardGame returns the running game whose board is beside the table: the selected one, or else that of the first table; nil: none
// is running.
func (v *tournamentScreen) boardGame() *tournament.Game {
	if g := v.selectedGame(); g != nil && v.listing(g) != nil {
		return g
	}
	for i := len(v.sheet.Rounds) - 1; i >= 0; i-- {
		for _, g := range v.sheet.Rounds[i].Games {
			if !g.IsOver() && v.listing(g) != nil {
				return g
			}
		}
	}
	return nil
}

// drawSide draws a board if there is one, the games of the latest round, unless they are the part that is shown, and the chat.
func (v *tournamentScreen) drawSide(c paint.Canvas, board *sideBoard) {
	t := v.Shell.Style.Theme
	w, h := c.Size()
	y := 0
	if board != nil {
		title := fmt.Sprintf("Table %d", board.game.Table)
		if v.sheet.Terms.IsAllAtOnce() {
			title = fmt.Sprintf("Round %d, table %d", board.game.Round, board.game.Table)
		}
		widget.DrawRule(c, t, y, title+" · live", t.Title)
		hint := " " + board.Hint + " "
		c.Text(w-paint.Width(hint)-1, y, t.Dim, hint)
		c.Blit(0, y+1, v.boards.Frame(board.Preview, v.Shell, w, board.rows))
		y += 1 + board.rows
	}
	if n := len(v.sheet.Rounds); n > 0 && v.part != partRound {
		widget.DrawRule(c, t, y, "Round "+strconv.Itoa(n), t.Title)
		y++
		lines := v.gameLines(v.sheet.Rounds[n-1].Games, w)
		chat := min(1+max(2*len(v.chatLines()), 2), chatBelow+1) // with its title
		most := min(len(lines), max(h-y-chat-1, 4))
		for i, l := range lines[:most] {
			style := t.Dim
			if strings.HasPrefix(l.right, markRunning) {
				style = t.Notice
			}
			rw := paint.Width(l.right)
			c.Text(1, y, l.style, paint.Cut(l.text, w-rw-3))
			c.Text(w-rw-1, y, style, l.right)
			if i == most-1 && len(lines) > most {
				c.Fill(0, y, w, 1, paint.Style{}, ' ')
				c.Text(1, y, t.Dim, "…")
			}
			y++
		}
		y++
	}
	if v.hasChat() && h-y > 1 {
		v.drawChat(c.Sub(0, y, w, h-y), v.chatLines())
	}
}

// chatLines returns the lines of the chat room.
func (v *tournamentScreen) chatLines() []lobby.ChatLine {
	room := v.Shell.Session.Lobby().Tournaments.Chat(v.sheet.ID)
	if room == nil {
		return nil
	}
	if log := v.chat.Of(v.Shell, room); log != nil {
		return *log
	}
	return nil
}

// drawChat draws the chat below its title.
func (v *tournamentScreen) drawChat(c paint.Canvas, lines []lobby.ChatLine) {
	t := v.Shell.Style.Theme
	w, h := c.Size()
	widget.DrawRule(c, t, 0, "Chat"+widget.ChatZone, t.Title)
	widget.DrawChat(c.Sub(1, 1, w-2, h-1), t, lines, "No messages yet. Press t to write to everyone in the tournament.")
}

// legend explains the signs of the part that is shown, in at most width columns.
func (v *tournamentScreen) legend(width int) string {
	s := v.sheet
	long, short := "Times are UTC.", "Times are UTC."
	switch {
	case v.part == partRound && s.isAtTables():
		long, short = "cells of territory, men; points before + of the table = sum · times are UTC", "cells of territory and men"
	case v.part != partTable || !s.HasStarted():
	case s.isAtTables():
		long, short = "1/4 won at a table of four, ▸2 still plays at table 2 · times are UTC", "1/4 won of four  ▸2 plays at table 2"
	case s.Terms.Format == tournament.FormatRoundRobin:
		long, short = "+ won  - lost  = drawn  ! not played  ▸ running  · to come · UTC", "+ won - lost = drawn ▸ running"
	case s.sides[0] != "":
		long = fmt.Sprintf("+ won  - lost  = drawn  ! not played  ▸ running, opponent's place, %s or %s · UTC", s.sides[0], s.sides[1])
		short = "+ won - lost = drawn ▸ running"
	default:
		long, short = "+ won  - lost  = drawn  ! not played  ▸ running, opponent's place · UTC", "+ won - lost = drawn ▸ running"
	}
	withoutGame := strings.Replace(short, " ▸ running", " ! not played ▸ running", 1)
	for _, text := range []string{long, withoutGame} {
		if paint.Width(text) <= width {
			return text
		}
	}
	return paint.Cut(short, width)
}
