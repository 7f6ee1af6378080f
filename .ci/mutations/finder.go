package main

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"regexp"
	"strconv"
	"strings"
)

// A finder finds the mutants of a file: of everything but constants, array lengths and the cases of a switch with a
// value, which have to be constant or do not take another expression.
type finder struct {
	*source
	file          string
	function      string
	result        *types.Tuple      // of the function around a node
	check         *mutant           // see mutant.check
	isDone        map[ast.Expr]bool // conditions whose mutants have been found
	hasConditions map[ast.Stmt]bool // cases of a switch without a value
}

func (f *finder) find() {
	for _, d := range f.files[f.file].Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			f.function = d.Name.Name
			if d.Recv != nil {
				f.function = "(" + types.ExprString(d.Recv.List[0].Type) + ")." + f.function
			}
			f.result = f.info.Defs[d.Name].Type().(*types.Signature).Results()
			if d.Body != nil {
				ast.Inspect(d.Body, f.visit)
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				if v, ok := spec.(*ast.ValueSpec); ok && d.Tok == token.VAR {
					f.function = v.Names[0].Name
					ast.Inspect(v, f.visit)
				}
			}
		}
	}
}

// add adds a mutant that writes text before and after a node; %d in it is the mutant's number. The texts of an outer node
// have to be added before those of an inner one.
func (f *finder) add(n ast.Node, change, before, after string, more ...edit) {
	begin, end := f.fset.Position(n.Pos()), f.fset.Position(n.End())
	text := f.text[f.file]
	m := &mutant{id: len(f.mutants) + 1, file: f.file, first: begin.Line, last: end.Line, function: f.function, check: f.check}
	m.change = change + ": " + strings.Join(strings.Fields(string(text[begin.Offset:end.Offset])), " ")
	if r := []rune(m.change); len(r) > 120 {
		m.change = string(r[:120]) + "…"
	}
	m.line = strings.TrimSpace(strings.Split(string(text), "\n")[begin.Line-1])
	m.edits = append(more, edit{begin.Offset, 0, fmt.Sprintf(before, m.id), prefix}, edit{end.Offset, 0, after, suffix})
	f.mutants = append(f.mutants, m)
}

// replace returns an edit.
func (f *finder) replace(from, to token.Pos, text string) edit {
	return edit{f.fset.Position(from).Offset, int(to - from), text, replacement}
}

func (f *finder) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.FuncLit:
		outer := f.result
		f.result = f.info.TypeOf(n).(*types.Signature).Results()
		ast.Inspect(n.Body, f.visit)
		f.result = outer
		return false
	case *ast.GenDecl:
		return n.Tok == token.VAR
	case *ast.ArrayType:
		return false
	case *ast.BlockStmt:
		f.statements(n.List)
	case *ast.CommClause:
		f.statements(n.Body)
	case *ast.CaseClause:
		body := &ast.BlockStmt{List: n.Body}
		if f.hasConditions[n] {
			f.checked(n.List, body)
		} else {
			ast.Inspect(body, f.visit)
		}
		return false
	case *ast.SwitchStmt:
		for _, c := range n.Body.List {
			f.hasConditions[c] = n.Tag == nil
		}
	case *ast.IfStmt:
		if n.Init != nil {
			ast.Inspect(n.Init, f.visit)
		}
		f.checked([]ast.Expr{n.Cond}, n.Body)
		if n.Else != nil {
			ast.Inspect(n.Else, f.visit)
		}
		return false
	case *ast.ForStmt:
		if n.Cond != nil {
			f.condition(n.Cond, false, true) // one that is always true only hangs
		}
	case *ast.ReturnStmt:
		f.returned(n)
	case *ast.BinaryExpr:
		if isLogical(n) {
			f.condition(n, true, true)
		}
	case *ast.UnaryExpr:
		if n.Op == token.NOT {
			f.condition(n, true, true)
		}
	case *ast.CallExpr:
		f.call(n)
	case *ast.SelectorExpr:
		f.role(n)
		return f.info.Types[n].Value == nil // otherwise n.Sel is the same role
	case *ast.Ident:
		if n.Name == "true" || n.Name == "false" {
			f.add(n, "swapped", "mutantNot(%d, ", ")")
		} else {
			f.role(n)
		}
	case *ast.BasicLit:
		f.query(n)
	}
	return true
}

// harmless are calls that are not dropped: without them a test would wait forever, or only a line in the log is missing.
var harmless = regexp.MustCompile(`(^|\.)(R?Lock|R?Unlock|Close|cancel|Done|Wait|panic|close|[Ll]og(ger)?\.\w+)$`)

// statements drops calls and assignments.
func (f *finder) statements(list []ast.Stmt) {
	for _, s := range list {
		switch s := s.(type) {
		case *ast.ExprStmt:
			if call, ok := s.X.(*ast.CallExpr); ok && !harmless.MatchString(types.ExprString(call.Fun)) {
				f.add(s, "dropped", "if mutantKeep(%d) { ", " }")
			}
		case *ast.AssignStmt:
			if s.Tok != token.DEFINE {
				f.add(s, "dropped", "if mutantKeep(%d) { ", " }")
			}
		case *ast.IncDecStmt:
			f.add(s, "dropped", "if mutantKeep(%d) { ", " }")
		}
	}
}

func isLogical(e *ast.BinaryExpr) bool {
	switch e.Op {
	case token.LAND, token.LOR, token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
		return true
	}
	return false
}

// checked visits conditions and what is done if one of them is true.
func (f *finder) checked(conditions []ast.Expr, body *ast.BlockStmt) {
	outer, next := f.check, len(f.mutants)
	for _, c := range conditions {
		f.condition(c, true, true)
		ast.Inspect(c, f.visit)
	}
	if len(conditions) == 1 && next < len(f.mutants) && strings.HasPrefix(f.mutants[next].change, "false: ") {
		f.check = f.mutants[next]
	}
	ast.Inspect(body, f.visit)
	f.check = outer
}

// condition has a condition always true or always false. Of a && and || it drops each operand.
func (f *finder) condition(e ast.Expr, mayTrue, mayFalse bool) {
	e = ast.Unparen(e)
	if f.isDone[e] || f.info.Types[e].Value != nil {
		return
	}
	f.isDone[e] = true
	b, _ := e.(*ast.BinaryExpr)
	isAnd, isOr := b != nil && b.Op == token.LAND, b != nil && b.Op == token.LOR
	isError := b != nil && b.Op == token.NEQ && hasType(f.info.TypeOf(b.X), "error") && f.info.Types[b.Y].IsNil()
	if mayFalse && !isOr {
		f.add(e, "false", "mutantFalse(%d, ", ")")
	}
	if mayTrue && !isAnd && !isError {
		f.add(e, "true", "mutantTrue(%d, ", ")")
	}
	switch {
	case isAnd:
		f.condition(b.X, mayTrue, false)
		f.condition(b.Y, mayTrue, false)
	case isOr:
		f.condition(b.X, false, mayFalse)
		f.condition(b.Y, false, mayFalse)
	case b != nil:
		bounds := map[token.Token][2]string{
			token.LSS: {"mutantLess", "<="}, token.LEQ: {"mutantLessEqual", "<"},
			token.GTR: {"mutantGreater", ">="}, token.GEQ: {"mutantGreaterEqual", ">"},
		}
		if to, ok := bounds[b.Op]; ok {
			f.add(e, b.Op.String()+" to "+to[1], to[0]+"(%d, ", ")", f.replace(b.OpPos, b.OpPos+token.Pos(len(b.Op.String())), ","))
		}
	}
}

func hasType(t types.Type, name string) bool { return t != nil && t.String() == name }

// returned has an error that is returned be nil.
func (f *finder) returned(s *ast.ReturnStmt) {
	for i, e := range s.Results {
		if len(s.Results) == f.result.Len() && hasType(f.result.At(i).Type(), "error") && !f.info.Types[e].IsNil() {
			f.add(e, "nil", "mutantNil(%d, ", ")")
		}
	}
}

// call has a bound be the other one: that of two numbers, and that of a time, which is then included.
func (f *finder) call(e *ast.CallExpr) {
	name := types.ExprString(e.Fun)
	if s, ok := e.Fun.(*ast.SelectorExpr); ok && (s.Sel.Name == "Before" || s.Sel.Name == "After") && hasType(f.info.TypeOf(s.X), "time.Time") {
		f.add(e, "at that time as well", "mutant"+s.Sel.Name+"(%d, ", "", f.replace(s.X.End(), e.Lparen+1, ", "))
	} else if (name == "min" || name == "max") && len(e.Args) == 2 && f.info.Types[e].Value == nil {
		other := map[string]string{"min": "max", "max": "min"}[name]
		f.add(e, name+" to "+other, "mutant"+strings.ToUpper(name[:1])+name[1:]+"(%d, ", "", f.replace(e.Pos(), e.Lparen+1, ""))
	}
}

// role has the role below.
func (f *finder) role(e ast.Expr) {
	t := f.info.Types[e]
	if named, ok := t.Type.(*types.Named); ok && t.Value != nil && named.Obj().Name() == "Role" {
		if v, _ := constant.Int64Val(t.Value); v > 0 {
			f.add(e, "the role below", "mutantBelow(%d, ", ")")
		}
	}
}

var (
	queryCondition = regexp.MustCompile(`\b(?:WHERE|AND) ([\w.]+ (?:(=|<>|<=|>=|<|>) [\w.?]+|IS (?:NOT )?NULL))`)
	queryBounds    = map[string]string{"<": "<=", "<=": "<", ">": ">=", ">=": ">"}
)

// query drops conditions of an SQL query, changes their bounds, and has commits not wait for the disk.
func (f *finder) query(e *ast.BasicLit) {
	text, err := strconv.Unquote(e.Value)
	if e.Kind != token.STRING || err != nil {
		return
	}
	change := func(what, with string) { f.add(e, what, "mutantText(%d, ", ", "+strconv.Quote(with)+")") }
	for _, at := range queryCondition.FindAllStringSubmatchIndex(text, -1) {
		condition := text[at[2]:at[3]]
		change("any "+condition, text[:at[2]]+"("+condition+" OR 1 = 1)"+text[at[3]:])
		if at[4] >= 0 && queryBounds[text[at[4]:at[5]]] != "" {
			to := queryBounds[text[at[4]:at[5]]]
			change(condition+" to "+to, text[:at[4]]+to+text[at[5]:])
		}
	}
	for _, setting := range [][2]string{{"synchronous_commit = on", "synchronous_commit = off"}, {"synchronous(FULL)", "synchronous(OFF)"}} {
		if strings.Contains(text, setting[0]) {
			change(setting[1], strings.ReplaceAll(text, setting[0], setting[1]))
		}
	}
}
