package op

import (
	"context"
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"

	"ayumu/lobby/club"
	"ayumu/lobby/errcode"
)

// Info describes an operation to all front ends. It must not be changed.
type Info struct {
	Name  string // unique among all operations, in words separated by _: "admin_mute"
	Help  string // what it does, in words that follow "to": "list open tables"
	Group Group
	On    On
	Where Where
	// Account reports that it needs an account; without one it is refused before it runs.
	Account    bool
	Permission club.Permission // that it needs; "": none
	Effect     Effect
	Offline    bool // it works without other people and without a server
	Local      bool // it needs a local lobby, in which several people are at one keyboard
	// ErrorStatus is the exit status of an error over SSH; 0: 1.
	ErrorStatus int
	// Session reports that it needs the lobby: a command over SSH then enters it, with the limits of the client's address
	// and without counting as presence.
	Session bool
	Args    []Arg // those that are typed in their order; New sets it
	// IsOfUse reports whether it can do something in the state of an open match; nil: always. The palette lists the others last. Running
	// it says why not.
	IsOfUse func(*Match) bool
}

// Group is a heading of the help, under which operations are listed.
type Group string

// The groups, in the order of the help.
const (
	GroupFind        Group = "Finding a game"
	GroupPlay        Group = "In a game"
	GroupLook        Group = "Looking back"
	GroupTournaments Group = "Tournaments"
	GroupLearn       Group = "Learning"
	GroupPeople      Group = "People and account"
	GroupClub        Group = "Moderating"
	GroupProgram     Group = "More"
)

// Groups are all groups in the order of the help.
var Groups = []Group{GroupFind, GroupPlay, GroupTournaments, GroupLook, GroupLearn, GroupPeople, GroupClub, GroupProgram}

// Where is where in the screens and in line mode an operation is offered.
type Where string

// Where operations are offered. What belongs to a match names it where no match is open: over SSH and in the API.
const (
	Anywhere Where = ""      // also in the lobby
	OnBoard  Where = "board" // in a match or a replay
	InMatch  Where = "match" // that is not from the archive
	AtSeat   Where = "seat"  // in a match in which the user has a seat
)

// Effect is what an operation does to what is stored or to what others see.
type Effect string

// The effects.
const (
	Reads   Effect = "" // it changes nothing
	Changes Effect = "changes"
	Final   Effect = "final" // what it does cannot be undone
)

// On states where an operation is offered. The zero value of Line, SSH and API is the name of the operation; Screen has keys,
// each as "SCREEN KEY", or the name of a screen alone where no key is needed.
type On struct {
	Line, SSH, API, Screen Availability
}

// Availability has the names of an operation at one front end, or the reason why it is deliberately not there. The zero value is
// the name of the operation.
type Availability struct {
	Names  []string
	Reason string // only without Names
	// Whole reports that abbreviations of the names yield to the names of other commands.
	Whole bool
}

// As is available under names, the first of which the help shows.
func As(names ...string) Availability { return Availability{Names: names} }

// Whole is available under names whose abbreviations yield to those of other commands.
func Whole(names ...string) Availability { return Availability{Names: names, Whole: true} }

// Not is not available, and why.
func Not(reason string) Availability { return Availability{Reason: reason} }

// All returns the names of an operation with a name.
func (a Availability) All(name string) []string {
	if a.Reason != "" || len(a.Names) > 0 {
		return a.Names
	}
	return []string{name}
}

// Name returns the first of the names of an operation with a name; "": it is not there.
func (a Availability) Name(name string) string {
	for _, n := range a.All(name) {
		return n
	}
	return ""
}

// Operation is an operation without the types of its arguments and its result. Any goroutine may use it.
type Operation interface {
	// Info describes the operation.
	Info() *Info
	// ParseWords parses the words after its name, as people type them; name is what they called it, for the usage.
	ParseWords(v *Visit, name string, words []string) (Call, error)
	// ParseJSON parses a JSON object, of whose fields it ignores those that it does not know.
	ParseJSON(v *Visit, object []byte) (Call, error)
}

// Call is an operation with its arguments.
type Call interface {
	// Confirmation returns the question that a person has to confirm; "": none. A refusal is an error before anything is
	// asked.
	Confirmation(v *Visit) (question string, err error)
	// Run runs it, after the run of the visit before. It may be called from any goroutine.
	Run(ctx context.Context, v *Visit) (Result, error)
}

// Result is what an operation has returned.
type Result struct {
	Status int    // the exit status over SSH
	Opens  string // the id of the match that it has started, which people see instead of Text; "": none
	text   func() Text
	json   func() any
}

// Text returns the result as people read it.
func (r Result) Text() Text { return r.text() }

// JSON returns the result as programs read it: a value that encoding/json makes an object of.
func (r Result) JSON() any { return r.json() }

// None is the type of arguments or of a result without content.
type None struct{}

// Spec declares an operation with arguments A and a result R.
type Spec[A, R any] struct {
	Info
	// Confirm returns the question that a person has to confirm before Run; "": none. Or it returns a refusal in words for
	// people: where they have named nothing and there is nothing of theirs, or ask for the same again. Programs are not
	// asked, so that Run refuses what must not be. Nil: it runs at once.
	Confirm func(v *Visit, in A) (question string, err error)
	// Run does it. It holds no lock of the visit while it waits for the store.
	Run func(ctx context.Context, v *Visit, in A) (R, error)
	// Text returns the result in sentences, or as a list.
	Text func(v *Visit, in A, r R) Text
	// JSON returns the result for programs; nil: R is it.
	JSON func(v *Visit, r R) any
	// Status returns the exit status over SSH; nil: 0.
	Status func(r R) int
	// Opens returns the id of the match that the operation has started for the user, "" if none; nil: it never does.
	Opens func(r R) string
}

// Op is a declared operation. Any goroutine may use it.
type Op[A, R any] struct {
	spec   Spec[A, R]
	fields []field
}

// New returns the operation of a declaration. It panics if the declaration is wrong.
func New[A, R any](s Spec[A, R]) *Op[A, R] {
	o := &Op[A, R]{spec: s, fields: argFields(s.Name, reflect.TypeFor[A]())}
	if s.Run == nil || s.Text == nil || s.Name == "" || s.Help == "" {
		panic("op: " + s.Name + " is not complete")
	}
	_, isAnywhere := any(new(A)).(wordParser)
	for _, f := range o.fields {
		f.isAnywhere = isAnywhere
		o.spec.Args = append(o.spec.Args, f.Arg)
	}
	return o
}

// Info implements Operation.
func (o *Op[A, R]) Info() *Info { return &o.spec.Info }

// Run checks what the operation needs and runs it, after the run of the visit before. It may be called from any
// goroutine, but not from Run of an operation.
func (o *Op[A, R]) Run(ctx context.Context, v *Visit, in A) (R, error) {
	v.runs.Lock()
	defer v.runs.Unlock()
	return o.run(ctx, v, in)
}

// run is Run for an operation that is part of another one.
func (o *Op[A, R]) run(ctx context.Context, v *Visit, in A) (r R, err error) {
	if err := v.May(o.Info()); err != nil {
		return r, err
	}
	return o.spec.Run(ctx, v, in)
}

// Text returns a result as people read it.
func (o *Op[A, R]) Text(v *Visit, in A, r R) Text { return o.spec.Text(v, in, r) }

// ParseWords implements Operation.
func (o *Op[A, R]) ParseWords(v *Visit, name string, words []string) (Call, error) {
	c := call[A, R]{op: o}
	i := o.Info()
	if v.Current != nil {
		i = i.InLine()
	}
	if err := parseWords(v, reflect.ValueOf(&c.in).Elem(), o.fields, i.Usage(name), words); err != nil {
		return nil, err
	}
	return c, nil
}

// ParseJSON implements Operation.
func (o *Op[A, R]) ParseJSON(v *Visit, object []byte) (Call, error) {
	c := call[A, R]{op: o}
	if err := ParseArgs(object, &c.in); err != nil {
		return nil, err
	}
	return c, nil
}

// call is a Call of an operation.
type call[A, R any] struct {
	op *Op[A, R]
	in A
}

func (c call[A, R]) Confirmation(v *Visit) (question string, err error) {
	if err := v.May(c.op.Info()); err != nil || c.op.spec.Confirm == nil {
		return "", err
	}
	return c.op.spec.Confirm(v, c.in)
}

func (c call[A, R]) Run(ctx context.Context, v *Visit) (Result, error) {
	r, err := c.op.Run(ctx, v, c.in)
	if err != nil {
		return Result{}, err
	}
	s := &c.op.spec
	res := Result{text: func() Text { return s.Text(v, c.in, r) }, json: func() any { return r }}
	if s.JSON != nil {
		res.json = func() any { return s.JSON(v, r) }
	}
	if s.Status != nil {
		res.Status = s.Status(r)
	}
	if s.Opens != nil {
		res.Opens = s.Opens(r)
	}
	return res, nil
}

// byHand is an operation that each front end implements for itself.
type byHand struct{ info Info }

// ByHand declares an operation that each front end implements for itself: it reads a draft, opens a screen or a stream,
// or has more than one answer. Its usage is args; how it is typed is a matter of the front end.
func ByHand(i Info, args ...Arg) Operation {
	i.Args = args
	return byHand{i}
}

func (b byHand) Info() *Info { return &b.info }

func (b byHand) ParseWords(*Visit, string, []string) (Call, error) { return nil, errByHand }

func (b byHand) ParseJSON(*Visit, []byte) (Call, error) { return nil, errByHand }

// IsByHand reports whether each front end implements an operation for itself.
func IsByHand(o Operation) bool {
	_, ok := o.(byHand)
	return ok
}

var errByHand = &errcode.Error{Code: errcode.NotAllowed, Message: "this front end does not offer that"}

// NoAccount tells a user without an account how to get one.
func (v *Visit) NoAccount() string {
	return "you have no account here; connect once with ssh -t " + v.SSHTarget + " and an SSH key, and choose a name"
}

// May returns why the user may not use an operation; nil if they may.
func (v *Visit) May(i *Info) error {
	if id := v.User().ID; id <= 0 && i.Account || id == 0 && i.Where == AtSeat { // over SSH guests have no seat
		return &errcode.Error{Code: errcode.NotAllowed, Message: v.NoAccount()}
	}
	if i.Local && !v.Lobby.IsLocal() {
		return errNotLocal
	}
	if i.Permission == "" {
		return nil
	}
	if v.Moderator == nil {
		return &errcode.Error{Code: errcode.NotAllowed, Message: "this server has no moderators"}
	}
	return v.Moderator.Permit(i.Permission)
}

// Operations are operations with their names at each front end. Any goroutine may use them; they do not change.
type Operations struct {
	all                    []Operation
	byName, line, ssh, api map[string]Operation
	described              func() json.RawMessage
	absentKeys             map[string]bool // of the screens, as On.Screen has them: those of operations that Offline has left out
}

// NewOperations returns a list of operations. It panics if two have the same name, or at the same front end.
func NewOperations(all ...Operation) *Operations {
	l := &Operations{all: all, byName: make(map[string]Operation), line: make(map[string]Operation), ssh: make(map[string]Operation), api: make(map[string]Operation)}
	l.described = sync.OnceValue(l.encodeDescriptions)
	add := func(to map[string]Operation, name string, o Operation) {
		if to[name] != nil {
			panic("op: there are two operations " + name)
		}
		to[name] = o
	}
	for _, o := range all {
		i := o.Info()
		add(l.byName, i.Name, o)
		for _, end := range []struct {
			names map[string]Operation
			at    Availability
		}{{l.line, i.On.Line}, {l.ssh, i.On.SSH}, {l.api, i.On.API}} {
			for _, name := range end.at.All(i.Name) {
				add(end.names, name, o)
			}
		}
	}
	// The name of an operation is understood wherever it is offered and the name is not taken.
	for _, o := range all {
		i := o.Info()
		if l.line[i.Name] == nil && i.On.Line.Reason == "" {
			l.line[i.Name] = o
		}
		if l.ssh[i.Name] == nil && i.On.SSH.Reason == "" {
			l.ssh[i.Name] = o
		}
	}
	return l
}

// Offline returns those of the operations that work without other people and without a server.
func (l *Operations) Offline() *Operations {
	keys := make(map[string]bool)
	var kept []Operation
	for _, o := range l.all {
		if o.Info().Offline {
			kept = append(kept, o)
			continue
		}
		for _, key := range o.Info().On.Screen.Names {
			keys[key] = true
		}
	}
	for _, o := range kept {
		for _, key := range o.Info().On.Screen.Names {
			delete(keys, key)
		}
	}
	offline := NewOperations(kept...)
	offline.absentKeys = keys
	return offline
}

// LacksKeys reports whether HasKey is false for some keys. l may be nil.
func (l *Operations) LacksKeys() bool { return l != nil && len(l.absentKeys) > 0 }

// HasKey reports whether a key of a screen is not one of operations that are all absent.
func (l *Operations) HasKey(screen, key string) bool { return !l.absentKeys[screen+" "+key] }

// Describe describes an operation in lines: how it is typed under a name, what it does, and its arguments.
func (i *Info) Describe(name string) []string {
	all := []string{i.Usage(name) + ": " + i.Help + "."}
	for _, a := range i.Args {
		if a.Help != "" && a.Usage != "" { // without a usage it is not typed
			all = append(all, a.Usage+": "+a.Help+".")
		}
	}
	if i.Account {
		all = append(all, "It needs an account.")
	}
	if i.Permission != "" {
		all = append(all, "It is for those who may "+string(i.Permission)+".")
	}
	if i.Effect == Final {
		all = append(all, "It cannot be undone; over SSH it needs --yes.")
	}
	return all
}

// All returns all operations in the order of the help.
func (l *Operations) All() []Operation { return slices.Clip(l.all) }

// Named returns the operation with a name; nil: there is none.
func (l *Operations) Named(name string) Operation { return l.byName[name] }

// ForSSH returns the operation that a name means over SSH; nil: none. Names of moderators' operations have two words.
func (l *Operations) ForSSH(name string) Operation { return l.ssh[name] }

// ForSSHWords returns the operation that words mean over SSH, its name there, and the words after the name; nil: none.
// A name has two words or one.
func (l *Operations) ForSSHWords(words []string) (o Operation, name string, rest []string) {
	if len(words) > 1 {
		name = words[0] + " " + words[1]
		if o = l.ssh[name]; o != nil {
			return o, name, words[2:]
		}
	}
	return l.ssh[words[0]], words[0], words[1:]
}

// ForAPI returns the operation that a name means in the API; nil: none.
func (l *Operations) ForAPI(name string) Operation { return l.api[name] }

// ForLine returns the operation that a name or an abbreviation means in line mode; nil: none, or several.
func (l *Operations) ForLine(name string) Operation {
	if o := l.line[name]; o != nil {
		return o
	}
	var short, whole []Operation
	for n, o := range l.line {
		if !strings.HasPrefix(n, name) || name == "" || strings.ContainsAny(n, " _") {
			continue // those of moderators, which have two words, would hide the others
		}
		p := o.Info().On.Line
		if !p.Whole && slices.Contains(p.All(o.Info().Name), n) {
			short = append(short, o)
		} else {
			whole = append(whole, o)
		}
	}
	for _, found := range [][]Operation{short, whole} {
		slices.SortFunc(found, func(a, b Operation) int { return strings.Compare(a.Info().Name, b.Info().Name) })
		if found = slices.CompactFunc(found, func(a, b Operation) bool { return a.Info() == b.Info() }); len(found) == 1 {
			return found[0]
		} else if len(found) > 1 {
			return nil
		}
	}
	return nil
}

// LineNames returns the names in line mode that begin with a prefix, sorted, of the operations that keep accepts. Names
// of two words are among them once the first word is complete.
func (l *Operations) LineNames(prefix string, keep func(*Info) bool) (names []string) {
	for _, o := range l.all {
		for _, n := range o.Info().On.Line.All(o.Info().Name) {
			isLonger := !strings.Contains(prefix, " ") && strings.Contains(n, " ")
			if strings.HasPrefix(n, prefix) && !isLonger && keep(o.Info()) {
				names = append(names, n)
			}
		}
	}
	slices.Sort(names)
	return names
}

// Suggest returns " (did you mean NAME?)" with the name in line mode or over SSH that is nearest to an unknown one; ""
// if none is near.
func (l *Operations) Suggest(name string, overSSH bool) string {
	names := l.line
	if overSSH {
		names = l.ssh
	}
	return didYouMean(name, slices.Sorted(maps.Keys(names)))
}

// Description describes an operation to programs.
type Description struct {
	Name       string           `json:"name"`
	Help       string           `json:"help"`
	Args       []Arg            `json:"args"`
	Where      string           `json:"where"`
	Account    bool             `json:"account"` // it needs one
	Permission string           `json:"permission,omitempty"`
	Effect     string           `json:"effect"`
	Offline    bool             `json:"offline"`
	On         map[string]Offer `json:"on"` // by front end: line, ssh, api, screen
}

// Offer is how a front end offers an operation, or why it does not.
type Offer struct {
	Name    string   `json:"name,omitempty"`
	Aliases []string `json:"aliases,omitempty"`
	Key     string   `json:"key,omitempty"` // of the screens, as "SCREEN KEY"
	Keys    []string `json:"more_keys,omitempty"`
	Reason  string   `json:"reason,omitempty"`
}

// Description returns the description for programs.
func (i *Info) Description() Description {
	d := Description{Name: i.Name, Help: i.Help, Args: i.Args, Where: string(i.Where), Account: i.Account, Permission: string(i.Permission), Effect: string(i.Effect), Offline: i.Offline}
	if d.Args == nil {
		d.Args = []Arg{}
	}
	if i.Where == Anywhere {
		d.Where = "anywhere"
	}
	if i.Effect == Reads {
		d.Effect = "reads"
	}
	offer := func(a Availability) Offer {
		if names := a.All(i.Name); len(names) > 0 {
			return Offer{Name: names[0], Aliases: names[1:]}
		}
		return Offer{Reason: a.Reason}
	}
	d.On = map[string]Offer{"line": offer(i.On.Line), "ssh": offer(i.On.SSH), "api": offer(i.On.API), "screen": {Reason: i.On.Screen.Reason}}
	if keys := i.On.Screen.Names; len(keys) > 0 {
		d.On["screen"] = Offer{Key: keys[0], Keys: keys[1:]}
	}
	return d
}

// Descriptions has a Description of each operation, as JSON.
type Descriptions struct {
	Operations json.RawMessage `json:"operations"`
}

// Describe returns the descriptions of all operations, which it encodes once.
func (l *Operations) Describe() Descriptions { return Descriptions{l.described()} }

func (l *Operations) encodeDescriptions() json.RawMessage {
	all := []Description{}
	for _, o := range l.all {
		all = append(all, o.Info().Description())
	}
	text, err := json.Marshal(all)
	if err != nil {
		panic(err) // it has strings and booleans only
	}
	return text
}
