package ayu

import (
	"math"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"ayumu/engine/ayu"
)

// firstMove is a first move of Black on a board of a size.
type firstMove struct {
	size int
	move ayu.Move
}

// mirrored returns the mirror images of a first move that leave the colours in place, and the move itself.
func (f firstMove) mirrored() []firstMove {
	mirror := func(m ayu.Move, image func(ayu.Point) ayu.Point) firstMove {
		return firstMove{f.size, ayu.Move{From: image(m.From), To: image(m.To)}}
	}
	last := f.size - 1
	return []firstMove{
		f,
		mirror(f.move, func(p ayu.Point) ayu.Point { return ayu.At(last-p.Column(), p.Row()) }),
		mirror(f.move, func(p ayu.Point) ayu.Point { return ayu.At(p.Column(), last-p.Row()) }),
		mirror(f.move, func(p ayu.Point) ayu.Point { return ayu.At(last-p.Column(), last-p.Row()) }),
	}
}

// readFile returns the text of a file of the repository.
func readFile(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile("../../../" + name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// readBook returns Black's chance after each first move that the opening book has.
func readBook(t *testing.T) map[firstMove]float64 {
	t.Helper()
	book := make(map[firstMove]float64)
	for line := range strings.Lines(readFile(t, "engine/ayu/search/book.txt")) {
		words := strings.Fields(line) // the size, the moves, the best reply, White's chance in thousandths
		if len(words) != 4 {
			continue
		}
		size, sizeErr := strconv.Atoi(words[0])
		move, moveErr := ayu.ParseMove(words[1])
		white, whiteErr := strconv.Atoi(words[3])
		if sizeErr != nil || moveErr != nil || whiteErr != nil {
			t.Fatalf("the line of the book %q", line)
		}
		// The engine subtracts in 32 bits, which decides how an exact half is rounded.
		black := 1 - float32(white)/1000
		for _, f := range (firstMove{size, move}).mirrored() {
			book[f] = float64(black)
		}
	}
	return book
}

// figure matches the size of a board, or a move with its chance.
var figure = regexp.MustCompile(`(\d+)×\d+|([a-z]\d+-[a-z]\d+)` + "`?" + ` (\d+) ?%`)

// figures returns the chances in a text, in percent. Each size holds for the moves up to the next one.
func figures(t *testing.T, text string) map[firstMove]int {
	t.Helper()
	found, size := make(map[firstMove]int), 0
	for _, m := range figure.FindAllStringSubmatch(text, -1) {
		if m[1] != "" {
			size, _ = strconv.Atoi(m[1])
			continue
		}
		move, err := ayu.ParseMove(m[2])
		if err != nil {
			t.Fatal(err)
		}
		found[firstMove{size, move}], _ = strconv.Atoi(m[3])
	}
	return found
}

// between returns what is in a text from one string to another.
func between(text, from, to string) string {
	_, rest, _ := strings.Cut(text, from)
	rest, _, _ = strings.Cut(rest, to)
	return rest
}

// TestFirstMovesAgreeWithTheBook compares the chances in the rules and in the documents with the opening book, and looks
// for moves that the rules should name instead.
func TestFirstMovesAgreeWithTheBook(t *testing.T) {
	book := readBook(t)
	rules := strings.Join(Game{}.Rules(), "\n")
	for where, text := range map[string]string{
		"the rules":         rules,
		"docs/rules/ayu.md": between(readFile(t, "docs/rules/ayu.md"), "## 6. Swap", "## 7. "),
		"docs/engines.md":   between(readFile(t, "docs/engines.md"), "**Opening book.**", "This makes the book again"),
	} {
		found := figures(t, text)
		if len(found) == 0 {
			t.Errorf("%s: found no figures", where)
		}
		for f, percent := range found {
			if black, ok := book[f]; !ok || percent != int(math.Round(100*black)) {
				t.Errorf("%s: %s on size %d has %d %%, and %.1f %% in the book", where, f.move, f.size, percent, 100*black)
			}
		}
	}

	fairText, goodText, _ := strings.Cut(rules, "Good for Black")
	fair, good := figures(t, fairText), figures(t, goodText)
	if len(fair) == 0 || len(good) == 0 {
		t.Fatalf("the rules have the fair moves %v and the good ones %v", fair, good)
	}
	named := make(map[firstMove]bool)
	for _, list := range []map[firstMove]int{fair, good} {
		for f := range list {
			for _, m := range f.mirrored() {
				named[m] = true
			}
		}
	}
	unfairness := func(f firstMove) float64 { return math.Abs(book[f] - 0.5) }
	for f, black := range book {
		if named[f] {
			continue
		}
		for g := range fair {
			if f.size == g.size && unfairness(f) < unfairness(g) {
				t.Errorf("the rules name %s on size %d, but not %s, which is fairer", g.move, g.size, f.move)
			}
		}
		for g := range good {
			if f.size == g.size && black > book[g] {
				t.Errorf("the rules name %s on size %d, but not %s, which is better for Black", g.move, g.size, f.move)
			}
		}
	}
}
