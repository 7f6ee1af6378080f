package mu

import (
	"strings"
	"testing"

	"ayumu/tui/game"
	"ayumu/tui/paint"
	"ayumu/tui/theme"
)

// legendText draws the legend of a session, each entry with its sample before its text.
func legendText(s *testSession, style game.Style) string {
	var all []string
	for _, e := range s.Legend(style) {
		sample := paint.Draw(nil, 8, 2, func(c paint.Canvas) { c.Blit(0, 0, e.Sample) }).String()
		all = append(all, strings.Join(strings.Fields(sample), " ")+" "+e.Text)
	}
	return strings.Join(all, "\n")
}

// TestLegend checks which signs the legend of each phase explains, in both sizes.
func TestLegend(t *testing.T) {
	all := readRecordedGames(t)
	for _, c := range []struct {
		state game.State
		keys  string
		want  []string
		not   []string
	}{
		{all[7].after(t, 12), "", []string{"a segment fits", "cursor"}, []string{"Wall", "neutral"}},
		{all[7].after(t, 30), "", []string{"Enter clears it"}, []string{"Wall", "takes"}},
		{all[27].after(t, 718), "", []string{"3 men, can move", "* segment can move", "can be captured", "Commonwealth", "Wall"}, []string{"takes", "neutral", "hint"}},
		{all[27].after(t, 718), "numbers", []string{"takes 2 men"}, []string{"takes 2 more men", "segment can move"}},
		{all[27].after(t, 718), "s", []string{"'s territory", "neutral"}, nil},
		{all[27].after(t, 718), "LARGE", []string{"takes 2 more men", "segment can move", "░░░░ ░░░░ Commonwealth", "×1 captures"}, nil},
		{all[27].hint(t, 718), "", []string{"hint: moves", "{} hint: lands"}, nil},
		{all[27].hint(t, 718), "LARGE", []string{"{1}"}, nil},
	} {
		for _, look := range []game.Style{plainLook, asciiLook, {Theme: &theme.Dark}} {
			s := newSession(t, c.state)
			s.draw(80, 24, look)
			s.keys(c.keys)
			s.draw(80, 24, look)
			text := legendText(s, look)
			for _, want := range c.want {
				if !strings.Contains(text, want) {
					t.Errorf("%q: the legend lacks %q:\n%s", c.keys, want, text)
				}
			}
			for _, not := range c.not {
				if strings.Contains(text, not) {
					t.Errorf("%q: the legend has %q:\n%s", c.keys, not, text)
				}
			}
			for _, e := range s.Legend(look) {
				if w, h := e.Sample.Size(); w > game.MaxSampleColumns || h > game.MaxSampleRows {
					t.Errorf("the sample of %q has %d×%d", e.Text, w, h)
				}
			}
		}
	}
}

// TestLegendIsShared checks that the legend is drawn once for all sessions that show the same.
func TestLegendIsShared(t *testing.T) {
	g := NewGame()
	state := opening(t, 3, 7)
	legend := func(seat int) *game.LegendEntry {
		b := g.New()
		state.Seat = seat
		b.Show(state)
		return &b.Legend(plainLook)[0]
	}
	first := legend(1)
	if first != legend(1) || first == legend(2) {
		t.Error("a legend is drawn twice, or of the wrong seat")
	}
}
