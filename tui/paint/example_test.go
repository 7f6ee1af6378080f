package paint_test

import (
	"fmt"
	"os"

	"ayumu/tui/paint"
)

// A board is drawn once and shared. A session draws its cursor over it.
func ExampleDraw() {
	board := paint.Draw(nil, 5, 2, func(c paint.Canvas) {
		c.Text(0, 0, paint.Style{}, "● · ○")
		c.Text(0, 1, paint.Style{}, "· ○ ·")
	})
	screen := paint.Draw(nil, 16, 2, func(c paint.Canvas) {
		c.Blit(1, 0, board)
		c.Restyle(3, 0, 1, 1, func(s paint.Style) paint.Style { return s.With(paint.Reverse) })
		n := c.Text(8, 0, paint.Style{Attr: paint.Bold}, "ana")
		c.Text(8+n, 0, paint.Style{}, " 9:59")
	})
	fmt.Print(screen)
	// Output:
	//  ● · ○  ana 9:59
	//  · ○ ·
}

func ExampleScreen() {
	profile := paint.Detect(os.Getenv("TERM"), os.Getenv)
	screen := paint.NewScreen(os.Stdout, 80, 24, paint.Options{
		Profile: profile,
		Modes:   paint.Mouse | paint.Paste,
		OnFail:  func(err error) { os.Stdout.Close() }, // which ends a blocked write
	})
	defer screen.Close()
	screen.Draw(func(c paint.Canvas) {
		w, h := c.Size()
		c.Text(0, 0, paint.Style{}, fmt.Sprintf("a terminal of %d×%d", w, h))
	})
}
