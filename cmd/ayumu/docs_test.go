package main

import (
	"bufio"
	"fmt"
	"go/ast"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"ayumu/cmd/ayumu/gtp"
	"ayumu/cmd/games"
)

// documents returns the paths of all Markdown files of the repository.
func documents(t *testing.T) []string {
	t.Helper()
	var all []string
	for _, pattern := range []string{"../../*.md", "../../docs/*.md", "../../docs/*/*.md"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, found...)
	}
	if len(all) < 10 {
		t.Fatalf("found only the documents %v", all)
	}
	return all
}

// example is a fenced block of a document.
type example struct {
	where string // file and line, for messages
	lines []string
}

// examples returns the blocks of a language of all documents.
func examples(t *testing.T, language string) []example {
	t.Helper()
	var all []example
	for _, path := range documents(t) {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var current *example
		for n, line := range strings.Split(string(text), "\n") {
			switch {
			case current == nil && strings.TrimSpace(line) == "```"+language:
				current = &example{where: fmt.Sprintf("%s:%d", strings.TrimPrefix(path, "../../"), n+1)}
			case current != nil && strings.TrimSpace(line) == "```":
				all, current = append(all, *current), nil
			case current != nil:
				current.lines = append(current.lines, line)
			}
		}
		if current != nil {
			t.Errorf("%s: the block does not end", current.where)
		}
	}
	return all
}

// like reports whether a line matches a pattern in which … matches any text.
func like(pattern, line string) bool {
	parts := strings.Split(pattern, "…")
	for i := range parts {
		parts[i] = regexp.QuoteMeta(parts[i])
	}
	return regexp.MustCompile("^(?s:" + strings.Join(parts, ".*") + ")$").MatchString(line)
}

// TestEngineExamples sends the commands of each engine block of the documents to the engine and compares
// the answers line by line.
func TestEngineExamples(t *testing.T) {
	all := examples(t, "engine")
	if len(all) < 5 {
		t.Fatalf("found only %d examples", len(all))
	}
	for _, e := range all {
		t.Run(e.where, func(t *testing.T) {
			var in, out strings.Builder
			var want []string
			for _, line := range e.lines {
				if command, ok := strings.CutPrefix(line, "> "); ok {
					fmt.Fprintln(&in, command)
				} else if answer, ok := strings.CutPrefix(line, "< "); ok {
					want = append(want, answer)
				} else {
					t.Fatalf("%q begins neither with > nor with <", line)
				}
			}
			c := gtp.Config{Games: games.Rules(), Engines: games.Engines(), Version: "1.0", Level: 5, Playouts: 20, Seed: 1}
			if err := gtp.Run(t.Context(), strings.NewReader(in.String()), &out, c); err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, line := range strings.Split(out.String(), "\n") {
				if line != "" {
					got = append(got, strings.TrimRight(line, " "))
				}
			}
			if len(got) != len(want) {
				t.Fatalf("the engine answers\n%s", out.String())
			}
			for i := range want {
				if !like(want[i], got[i]) {
					t.Errorf("the document has  %s\nthe engine answers %s", want[i], got[i])
				}
			}
		})
	}
}

// citation matches a reference to a Markdown file with the sections that follow.
var citation = regexp.MustCompile(`([\w./-]*[\w-]+\.md)(?:, sections? ((?:\d+(?:\.\d+)?(?:, | and | to )?)+))?`)

// TestDocumentsExist checks that every document and section that Go files and documents refer to exists.
func TestDocumentsExist(t *testing.T) {
	var files []string
	err := filepath.WalkDir("../..", func(path string, d os.DirEntry, err error) error {
		if err == nil && d.IsDir() && d.Name() == "dist" { // what .ci/release has made
			return filepath.SkipDir
		}
		if err == nil && !d.IsDir() && (strings.HasSuffix(path, ".go") || strings.HasSuffix(path, ".md")) {
			files = append(files, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	cited := 0
	for _, path := range files {
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(f)
		lines.Buffer(nil, 1<<20)
		text := ""
		for lines.Scan() {
			// A citation may go on in the next line of a comment.
			text += strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(lines.Text()), "//")) + " "
		}
		f.Close()
		for _, m := range citation.FindAllStringSubmatch(text, -1) {
			name, sections := m[1], m[2]
			if strings.HasPrefix(name, "../../") || strings.Contains(name, "*") || strings.HasSuffix(path, "docs_test.go") {
				continue // a path in a test
			}
			cited++
			document, err := os.ReadFile(filepath.Join("../..", name))
			if err != nil { // a link is relative to its file
				document, err = os.ReadFile(filepath.Join(filepath.Dir(path), name))
			}
			if err != nil {
				t.Errorf("%s names %s, which is not in the repository", path, name)
				continue
			}
			for _, s := range regexp.MustCompile(`\d+(\.\d+)?`).FindAllString(sections, -1) {
				if !hasSection(string(document), s) {
					t.Errorf("%s cites section %s of %s, which has none", path, s, name)
				}
			}
		}
	}
	if cited < 40 {
		t.Errorf("only %d citations were found", cited)
	}
}

// hasSection reports whether a document has section N as "## N. Title", or N.M as "### N.M Title" or as
// item M of the list in section N.
func hasSection(document, section string) bool {
	number, item, _ := strings.Cut(section, ".")
	_, rest, ok := strings.Cut("\n"+document, "\n## "+number+". ")
	if !ok || item == "" {
		return ok
	}
	rest, _, _ = strings.Cut(rest, "\n## ")
	return strings.Contains(rest, "\n### "+section+" ") || strings.Contains(rest, "\n"+item+". ")
}

// retiredWords returns the words that section 9 of docs/glossary.md retires, each with the names in which
// it stays.
func retiredWords(t *testing.T) map[string][]string {
	t.Helper()
	text, err := os.ReadFile("../../docs/glossary.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(text), "\n## 9. Retired words\n")
	table, _, _ = strings.Cut(table, "\n## ")
	retired := make(map[string][]string)
	before := ""
	for _, line := range strings.Split(table, "\n") {
		if !strings.HasPrefix(line, "| ") || strings.HasPrefix(line, "| retired ") || strings.HasPrefix(line, "| --- ") {
			continue
		}
		cells := strings.Split(strings.Trim(line, "|"), " | ")
		if len(cells) != 3 {
			t.Errorf("the row %q has not three cells", line)
			continue
		}
		var stays []string
		for _, m := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(cells[2], -1) {
			stays = append(stays, m[1])
		}
		for i, word := range strings.Split(strings.TrimSpace(cells[0]), ", ") {
			if _, twice := retired[word]; twice || !regexp.MustCompile(`^[a-z]+$`).MatchString(word) || i == 0 && word < before {
				t.Errorf("%q is no word, stands twice, or is out of order", word)
			}
			if retired[word] = stays; i == 0 {
				before = word
			}
		}
	}
	for _, word := range []string{"he", "him", "his", "himself", "she", "her", "herself"} {
		retired[word] = nil
	}
	return retired
}

// TestDocumentsUseTheGlossary looks for retired words in a list of documents.
func TestDocumentsUseTheGlossary(t *testing.T) {
	retired := retiredWords(t)
	if len(retired) < 60 {
		t.Fatalf("found only %d retired words", len(retired))
	}
	for _, path := range []string{"CONTRIBUTING.md", "docs/bots.md", "docs/performance.md", "docs/engines.md", "docs/protocol.md", "docs/rules/ayu.md", "docs/rules/mu.md"} {
		text, err := os.ReadFile("../../" + path)
		if err != nil {
			t.Fatal(err)
		}
		for n, line := range strings.Split(string(text), "\n") {
			if spoken.MatchString(line) {
				continue // an example has the names of the interfaces
			}
			line = regexp.MustCompile("`[^`]*`").ReplaceAllString(line, "")
			for _, word := range regexp.MustCompile(`[a-z]+`).FindAllString(strings.ToLower(line), -1) {
				if _, bad := retired[word]; bad {
					t.Errorf("%s:%d uses the retired word %s", path, n+1, word)
				}
			}
		}
	}
}

// TestLinksWork checks that every link of a document leads to an existing file and heading.
func TestLinksWork(t *testing.T) {
	links := 0
	for _, path := range documents(t) {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`\]\(([^)#\s]*)(#[^)\s]+)?\)`).FindAllStringSubmatch(string(text), -1) {
			if strings.Contains(m[1], "://") {
				continue
			}
			links++
			target := path
			if m[1] != "" {
				target = filepath.Join(filepath.Dir(path), m[1])
			}
			document, err := os.ReadFile(target)
			if err != nil {
				t.Errorf("%s links to %s, which is not there", path, m[1])
			} else if m[2] != "" && !slices.Contains(anchors(string(document)), m[2][1:]) {
				t.Errorf("%s links to %s%s, and there is no such heading", path, m[1], m[2])
			}
		}
	}
	if links < 20 {
		t.Errorf("found only %d links", links)
	}
}

// anchors returns the anchors that GitHub generates for the headings of a document.
func anchors(document string) (all []string) {
	for _, line := range strings.Split(document, "\n") {
		if title, ok := strings.CutPrefix(strings.TrimLeft(line, "#"), " "); ok && strings.HasPrefix(line, "#") {
			title = regexp.MustCompile(`[^\pL\pN _-]`).ReplaceAllString(strings.ToLower(title), "")
			all = append(all, strings.ReplaceAll(title, " ", "-"))
		}
	}
	return all
}

// TestStoreInterfacesAreListed compares the table of docs/architecture.md with the interfaces that store.Store and
// lobby.Store consist of.
func TestStoreInterfacesAreListed(t *testing.T) {
	page, err := os.ReadFile("../../docs/architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(page), "\n## How to add a store\n")
	section, _, _ = strings.Cut(section, "\n## ")
	listed := make(map[string]int)
	for _, m := range regexp.MustCompile("(?m)^\\| `(\\w+\\.\\w+)` \\|").FindAllStringSubmatch(section, -1) {
		listed[m[1]]++
	}
	declared := 0
	for _, f := range goFiles(t, func(path string) bool {
		return strings.HasSuffix(path, "/lobby/store/store.go") || path == "../../lobby/store.go"
	}) {
		ast.Inspect(f.File, func(n ast.Node) bool {
			spec, ok := n.(*ast.TypeSpec)
			if !ok || spec.Name.Name != "Store" {
				return true
			}
			for _, embedded := range spec.Type.(*ast.InterfaceType).Methods.List {
				if len(embedded.Names) > 0 {
					continue
				}
				declared++
				name := typeName(embedded.Type)
				if !strings.Contains(name, ".") {
					name = f.Name.Name + "." + name
				}
				if listed[name] != 1 {
					t.Errorf("%s.Store has %s, which stands %d times in docs/architecture.md", f.Name.Name, name, listed[name])
				}
			}
			return false
		})
	}
	if declared < 9 || declared != len(listed) {
		t.Errorf("%d interfaces are declared, %d are listed: %v", declared, len(listed), listed)
	}
}
