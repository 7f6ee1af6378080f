package main

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
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
}

func (m *mutant) String() string {
	text := fmt.Sprintf("%s:%d: %s: %s", m.file, m.first, m.function, m.change)
	if strings.HasSuffix(text, m.line) {
		return text
	}
	return text + " (" + m.line + ")"
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
	path    string // of the import
	dir     string
	fset    *token.FileSet
	files   map[string]*ast.File // by their paths, without tests
	text    map[string][]byte
	info    *types.Info
	mutants []*mutant
	config  types.Config
}

//go:embed switch/switch.go
var switchSource string

// load reads a package and finds its mutants; only those of one file unless that is "".
func load(dir, only string) (*source, error) {
	out, err := goCommand("list", "-export", "-deps", "-json=ImportPath,Dir,GoFiles,Export", "./"+dir, "./.ci/mutations/switch")
	if err != nil {
		return nil, err
	}
	absolute, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	s := &source{dir: dir, fset: token.NewFileSet(), files: make(map[string]*ast.File), text: make(map[string][]byte)}
	exports := make(map[string]string)
	var names []string
	for list := json.NewDecoder(bytes.NewReader(out)); ; {
		var p struct {
			ImportPath, Dir, Export string
			GoFiles                 []string
		}
		if err := list.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, err
		}
		exports[p.ImportPath] = p.Export
		if p.Dir == absolute {
			s.path, names = p.ImportPath, p.GoFiles
		}
	}
	s.config.Importer = importer.ForCompiler(s.fset, "gc", func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) })
	var files []*ast.File
	for _, name := range names {
		path := filepath.Join(dir, name)
		if s.text[path], err = os.ReadFile(path); err != nil {
			return nil, err
		}
		if s.files[path], err = parser.ParseFile(s.fset, path, s.text[path], parser.SkipObjectResolution); err != nil {
			return nil, err
		}
		files = append(files, s.files[path])
	}
	s.info = &types.Info{Types: make(map[ast.Expr]types.TypeAndValue), Defs: make(map[*ast.Ident]types.Object)}
	if _, err := s.config.Check(s.path, s.fset, files, s.info); err != nil {
		return nil, err
	}
	for _, name := range names {
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

// dropInvalid removes the mutants that do not compile.
func (s *source) dropInvalid() error {
	for {
		invalid := make(map[*mutant]bool)
		var unexplained error
		config := s.config
		config.Error = func(err error) {
			var e types.Error
			errors.As(err, &e)
			at := s.fset.Position(e.Pos)
			var on []*mutant
			for _, m := range s.mutants {
				if m.file == at.Filename && m.first <= at.Line && at.Line <= m.last {
					on = append(on, m)
				}
			}
			if slices.ContainsFunc(on, func(m *mutant) bool { return m.first == at.Line }) {
				on = slices.DeleteFunc(on, func(m *mutant) bool { return m.first != at.Line })
			}
			if on == nil {
				unexplained = err
			}
			for _, m := range on {
				invalid[m] = true
			}
		}
		var files []*ast.File
		for path, text := range s.rewritten() {
			f, err := parser.ParseFile(s.fset, path, text, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			files = append(files, f)
		}
		config.Check(s.path, s.fset, files, nil)
		if unexplained != nil || len(invalid) == 0 {
			return unexplained
		}
		for m := range invalid {
			fmt.Fprintf(os.Stderr, "does not compile, left out: %v\n", m)
		}
		s.mutants = slices.DeleteFunc(s.mutants, func(m *mutant) bool { return invalid[m] })
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
