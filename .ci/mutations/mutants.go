package main

import (
	_ "embed"
	"errors"
	"fmt"
	"go/ast"
	"go/build"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A mutant is one change of a package's source.
type mutant struct {
	id          int // counts from 1
	file        string
	first, last int // lines
	function    string
	change      string // what it does and to what, on one line
	line        string // the original first line
	edits       []edit
	// check is the mutant in which the code around this one is never run, if there is one: if no test reaches it, then
	// none reaches this one.
	check *mutant
	// hangsIn is the test that hangs with it, once that has been found.
	hangsIn string
}

func (m *mutant) String() string {
	text := fmt.Sprintf("%s:%d: %s: %s", m.file, m.first, m.function, m.change)
	if strings.HasSuffix(text, m.line) {
		return text
	}
	return text + " (" + m.line + ")"
}

// isListed reports whether an output of this program has the mutant, whatever its line was then.
func (m *mutant) isListed(output string) bool {
	text := ": " + m.function + ": " + m.change
	return strings.Contains(output, text+"\n") || strings.Contains(output, text+" (")
}

// An edit inserts text into a file, or replaces some. None adds lines.
type edit struct {
	offset, length int
	text           string
	place          int // among those at the same offset
}

// Places of edits: what ends before an offset comes before what begins there.
const (
	suffix = iota
	prefix
	replacement
)

// A source is a package that is mutated: its files with all of its mutants, each behind a switch.
type source struct {
	dir     string
	fset    *token.FileSet
	files   map[string]*ast.File // by their paths, without tests
	text    map[string][]byte
	config  types.Config
	info    types.Info
	mutants []*mutant
}

//go:embed switch/switch.go
var switchSource string

// load reads a package and finds its mutants; only those of one file unless that is "".
func load(dir, only string) (*source, error) {
	out, err := goCommand("list", "-export", "-deps", "-f={{.ImportPath}} {{.Export}}", "./"+dir, "./.ci/mutations/switch")
	if err != nil {
		return nil, err
	}
	exports := make(map[string]string)
	for line := range strings.Lines(string(out)) {
		path, file, _ := strings.Cut(strings.TrimSpace(line), " ")
		exports[path] = file
	}
	s := &source{dir: dir, fset: token.NewFileSet(), files: make(map[string]*ast.File), text: make(map[string][]byte)}
	s.config.Importer = importer.ForCompiler(s.fset, "gc", func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) })
	s.info = types.Info{Types: make(map[ast.Expr]types.TypeAndValue), Defs: make(map[*ast.Ident]types.Object)}
	p, err := build.ImportDir(dir, 0)
	if err != nil {
		return nil, err
	}
	var files []*ast.File
	for _, name := range p.GoFiles {
		path := filepath.Join(dir, name)
		if s.text[path], err = os.ReadFile(path); err != nil {
			return nil, err
		}
		if s.files[path], err = parser.ParseFile(s.fset, path, s.text[path], parser.SkipObjectResolution); err != nil {
			return nil, err
		}
		files = append(files, s.files[path])
	}
	if _, err := s.config.Check(dir, s.fset, files, &s.info); err != nil {
		return nil, err
	}
	for _, name := range p.GoFiles {
		if only == "" || name == only {
			f := finder{source: s, file: filepath.Join(dir, name), isDone: make(map[ast.Expr]bool), hasConditions: make(map[ast.Stmt]bool)}
			f.find()
		}
	}
	number := make(map[string]int)
	for _, m := range s.mutants { // the same change twice in a function is told apart by a number
		key := m.function + m.change
		if number[key]++; number[key] > 1 {
			m.change += fmt.Sprintf(" #%d", number[key])
		}
	}
	return s, s.dropInvalid()
}

// dropInvalid removes the mutants of lines that do not compile with them.
func (s *source) dropInvalid() error {
	for {
		var files []*ast.File
		for path, text := range s.rewritten() {
			f, err := parser.ParseFile(s.fset, path, text, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			files = append(files, f)
		}
		_, err := s.config.Check(s.dir, s.fset, files, nil)
		var invalid types.Error
		if !errors.As(err, &invalid) {
			return err
		}
		at, before := s.fset.Position(invalid.Pos), len(s.mutants)
		s.mutants = slices.DeleteFunc(s.mutants, func(m *mutant) bool {
			return m.file == at.Filename && m.first <= at.Line && at.Line <= m.last
		})
		fmt.Fprintf(os.Stderr, "%d mutants are left out: %v\n", before-len(s.mutants), err)
		if len(s.mutants) == before {
			return err
		}
	}
}

// rewritten returns the files with the switches, and the one that defines these, by their paths.
func (s *source) rewritten() map[string]string {
	all := make(map[string]string)
	for path, text := range s.text {
		var edits []edit
		for _, m := range s.mutants {
			if m.file == path {
				edits = append(edits, m.edits...)
			}
		}
		// An outer expression has its mutants before an inner one: its prefixes come first, and its suffixes last.
		slices.Reverse(edits)
		slices.SortStableFunc(edits, func(a, b edit) int {
			if a.offset != b.offset {
				return a.offset - b.offset
			}
			return a.place - b.place
		})
		var b strings.Builder
		at := 0
		for len(edits) > 0 {
			n := 1
			for n < len(edits) && edits[n].offset == edits[0].offset && edits[n].place == edits[0].place {
				n++
			}
			if edits[0].place == prefix {
				slices.Reverse(edits[:n])
			}
			for _, e := range edits[:n] {
				b.Write(text[at:e.offset])
				b.WriteString(e.text)
				at = e.offset + e.length
			}
			edits = edits[n:]
		}
		b.Write(text[at:])
		all[path] = b.String()
		all[filepath.Join(s.dir, "mutantswitch.go")] = strings.Replace(switchSource, "package mutantswitch", "package "+s.files[path].Name.Name, 1)
	}
	return all
}
