package screen

import (
	"image"
	"strings"
	"testing"
)

// TestTextBesideABoardEndsWithTheBoard: a text that does not fit below the board covers neither the board nor a part of a row below it.
func TestTextBesideABoardEndsWithTheBoard(t *testing.T) {
	board := image.Rect(0, 0, 33, 16)
	for _, text := range []string{"One row.", strings.Repeat("word ", 60)} {
		switch got := statusArea(board, 60, 17, text); {
		case got.Overlaps(board):
			t.Errorf("%v covers the board", got)
		case got.Max.Y > board.Max.Y && got.Dx() < 60:
			t.Errorf("%v covers a part of the row below the board", got)
		}
	}
}
