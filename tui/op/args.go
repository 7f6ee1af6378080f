package op

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"ayumu/lobby/errcode"
	"ayumu/lobby/sanitize"
)

// Arg is an argument of an operation.
//
// A declaration has them as the fields of a struct, in the order in which they are typed. The tag json is the name in the
// API, the tag arg how it is typed, and the tag help says what Kind and usage do not:
//
//	Name  string `json:"name" arg:"NAME"`                a word
//	Days  *Days  `json:"days" arg:"[DAYS|off]"`          a word that may be left out
//	Text  string `json:"text" arg:"TEXT..."`             the rest of the line
//	Until *Time  `json:"until" arg:"until=TIME"`         a word that begins with until=; it may be left out
//	All   bool   `json:"all" arg:"all"`                  the word all; it may be left out
//	From  *int   `json:"from"`                           not typed; only programs and screens have it
//	Keep  bool   `json:"-"`                              only screens have it
//
// The tag api is "required" where a program has to send what people may leave out.
type Arg struct {
	Name     string `json:"name"`
	Usage    string `json:"usage,omitempty"`    // as in a usage line: "[DAYS|off]"; "": it is not typed
	Kind     string `json:"kind"`               // "text", "number", "yes or no", or that of a type with ParseWord
	Optional bool   `json:"optional"`           // people may leave it out
	Required bool   `json:"required,omitempty"` // programs may not, although people may
	Repeated bool   `json:"repeated"`           // it takes the rest of the line
	Help     string `json:"help,omitempty"`

	key          string // what begins its word, which may be anywhere: "until=" or "all"; "": its position counts
	isContextual bool   // it is never typed in a match
	isAnywhere   bool   // its words can be anywhere among those of the others
}

// Kind is implemented by pointers to types of arguments which are not just a text or a number.
type Kind interface {
	// ParseWord sets the value that a typed word means. An error says what is possible.
	ParseWord(v *Visit, word string) error
	// Kind names the kind for the help.
	Kind() string
}

// contextual is implemented by pointers to types of arguments that a visit knows without a word while it is in a match. Where
// the word may be left out, it can be typed there too.
type contextual interface {
	// FromVisit sets the value from what the visit shows, and reports whether it could.
	FromVisit(v *Visit) bool
}

// verbatim is implemented by pointers to types of arguments that take the rest of the line as it is typed, with what
// looks like a flag.
type verbatim interface{ isVerbatim() }

// wordParser is implemented by pointers to structs of arguments whose words depend on each other. The tags of the fields only
// describe them.
type wordParser interface {
	// parseWords sets the fields from the words that a person typed, of which none is a flag.
	parseWords(v *Visit, words []string) error
}

// presetter is implemented by pointers to structs of arguments of which the visit knows some, unless they are typed.
type presetter interface {
	// preset sets the fields that words may set too.
	preset(v *Visit)
}

// field is a field of a struct of arguments.
type field struct {
	Arg
	index   int
	isTyped bool

	isVerbatim bool
}

// argFields returns the fields of a type of arguments. It panics if the declaration of an operation is wrong.
func argFields(operation string, t reflect.Type) (all []field) {
	for i := range t.NumField() {
		sf := t.Field(i)
		f := field{index: i}
		usage, isTyped := sf.Tag.Lookup("arg")
		if f.Name, _, _ = strings.Cut(sf.Tag.Get("json"), ","); f.Name == "-" {
			continue // only screens and words have it
		}
		f.isTyped, f.Usage, f.Help = isTyped, usage, sf.Tag.Get("help")
		f.Kind, f.Required = argKind(sf.Type), sf.Tag.Get("api") == "required"
		inner := strings.TrimSuffix(strings.TrimPrefix(usage, "["), "]")
		f.Repeated = strings.HasSuffix(inner, "...")
		f.Usage = strings.Replace(usage, "...", "", 1)
		key, _, isKeyed := strings.Cut(inner, "=")
		switch {
		case isKeyed:
			f.key, f.Optional, f.Usage = key+"=", true, "["+inner+"]"
		case isTyped && sf.Type.Kind() == reflect.Bool:
			f.key, f.Optional, f.Usage = inner, true, "["+inner+"]"
		default:
			f.Optional = strings.HasPrefix(usage, "[") || !isTyped
		}
		_, isContextual := reflect.New(sf.Type).Interface().(contextual)
		f.isContextual = isContextual && !f.Optional
		_, f.isVerbatim = reflect.New(sf.Type).Interface().(verbatim)
		if n := len(all); isTyped && n > 0 && (f.key == "" && all[n-1].Repeated) || f.Kind == "" {
			panic("op: " + operation + ": the argument " + sf.Name + " cannot be parsed")
		}
		all = append(all, f)
	}
	return all
}

// argKind returns the kind of a type of arguments; "" if words cannot be parsed to it.
func argKind(t reflect.Type) string {
	if k, ok := reflect.New(t).Interface().(Kind); ok {
		return k.Kind()
	}
	switch t.Kind() {
	case reflect.Pointer:
		return argKind(t.Elem())
	case reflect.String:
		return "text"
	case reflect.Int, reflect.Int64:
		return "number"
	case reflect.Bool:
		return "yes or no"
	case reflect.Slice:
		return argKind(t.Elem())
	}
	return "object"
}

// usageLine returns a usage line: the name and the arguments.
func usageLine(name string, args []Arg) string {
	for _, a := range args {
		if a.Usage != "" {
			name += " " + a.Usage
		}
	}
	return name
}

// Usage returns how an operation is typed: a name and the arguments.
func (i *Info) Usage(name string) string { return usageLine(name, i.Args) }

// InLine returns the description as line mode has it: without the arguments that it takes from the match that is open.
func (i *Info) InLine() *Info {
	in := *i
	in.Args = slices.DeleteFunc(slices.Clone(i.Args), func(a Arg) bool { return a.isContextual })
	return &in
}

func badRequest(format string, args ...any) error {
	return &errcode.Error{Code: errcode.BadRequest, Message: fmt.Sprintf(format, args...)}
}

// parseWords sets the fields of a struct of arguments from the words that a person typed. A word that begins with -- is
// a flag, and none is known here; after -- all is text.
func parseWords(v *Visit, in reflect.Value, fields []field, usage string, words []string) error {
	if p, ok := in.Addr().Interface().(wordParser); ok {
		plain, err := plainWords(words, false, usage)
		if err != nil {
			return err
		}
		return p.parseWords(v, plain)
	}
	if p, ok := in.Addr().Interface().(presetter); ok {
		p.preset(v)
	}
	set := make([]bool, len(fields))
	raw := false
	next := 0 // the first positional field that is not set
	skip := func() {
		for next < len(fields) && (!fields[next].isTyped || fields[next].key != "" || set[next]) {
			next++
		}
	}
	for i, f := range fields {
		set[i] = f.fromVisit(v, in) && !f.Optional
	}
	for len(words) > 0 {
		if skip(); next < len(fields) && fields[next].isVerbatim {
			return fields[next].parseRest(v, in, words)
		}
		word := words[0]
		if !raw && word == "--" {
			raw, words = true, words[1:]
			continue
		}
		if !raw && strings.HasPrefix(word, "--") {
			return badRequest("unknown flag %s; usage: %s", sanitize.Line(word, 20), usage)
		}
		if i := slices.IndexFunc(fields, func(f field) bool { return f.matches(word) }); i >= 0 && !raw && !set[i] {
			if err := fields[i].parse(v, in, strings.TrimPrefix(word, fields[i].key)); err != nil {
				return err
			}
			set[i], words = true, words[1:]
			continue
		}
		if skip(); next == len(fields) {
			return unknownWord(word, fields, usage)
		}
		f := fields[next]
		set[next] = true
		if f.Repeated {
			rest, err := plainWords(words, raw, usage)
			if err != nil {
				return err
			}
			return f.parseRest(v, in, rest)
		}
		if err := f.parse(v, in, word); err != nil {
			return err
		}
		words = words[1:]
	}
	for i, f := range fields {
		if f.isTyped && !f.Optional && !set[i] {
			return badRequest("usage: %s", usage)
		}
	}
	return nil
}

// unknownWord returns the error about a word that is too many.
func unknownWord(word string, fields []field, usage string) error {
	var known []string
	for _, f := range fields {
		if f.key != "" {
			known = append(known, f.key)
		}
	}
	return badRequest("unexpected %q%s; usage: %s", sanitize.Line(word, 30), didYouMean(word, known), usage)
}

// plainWords returns words without the first --, and an error if there is a flag before.
func plainWords(words []string, raw bool, usage string) ([]string, error) {
	var all []string
	for _, w := range words {
		switch {
		case raw || !strings.HasPrefix(w, "--"):
			all = append(all, w)
		case w == "--":
			raw = true
		default:
			return nil, badRequest("unknown flag %s; write -- before a text that begins with -; usage: %s", sanitize.Line(w, 20), usage)
		}
	}
	return all, nil
}

// matches reports whether a word is for a field by its key.
func (f *field) matches(word string) bool {
	return f.isTyped && f.key != "" && (strings.EqualFold(word, f.key) || strings.HasSuffix(f.key, "=") && len(word) > len(f.key) && strings.EqualFold(word[:len(f.key)], f.key))
}

// fromVisit sets a field that the visit knows without a word, and reports whether it could.
func (f *field) fromVisit(v *Visit, in reflect.Value) bool {
	at := in.Field(f.index)
	value := at.Addr()
	if at.Kind() == reflect.Pointer {
		value = reflect.New(at.Type().Elem())
	}
	c, ok := value.Interface().(contextual)
	if !ok || !c.FromVisit(v) {
		return false
	}
	if at.Kind() == reflect.Pointer {
		at.Set(value)
	}
	return true
}

// parse sets a field from a word.
func (f *field) parse(v *Visit, in reflect.Value, word string) error {
	at := in.Field(f.index)
	if at.Kind() == reflect.Pointer {
		at.Set(reflect.New(at.Type().Elem()))
		at = at.Elem()
	}
	if k, ok := at.Addr().Interface().(Kind); ok {
		return k.ParseWord(v, word)
	}
	switch at.Kind() {
	case reflect.String:
		at.SetString(word)
	case reflect.Bool:
		at.SetBool(true)
	case reflect.Int, reflect.Int64:
		n, err := strconv.ParseInt(word, 10, 32)
		if err != nil {
			return badRequest("%s must be a number, not %q", cmp.Or(f.Name, strings.ToLower(strings.Trim(f.Usage, "[]"))), sanitize.Line(word, 20))
		}
		at.SetInt(n)
	}
	return nil
}

// parseRest sets a field from the rest of the line.
func (f *field) parseRest(v *Visit, in reflect.Value, words []string) error {
	if at := in.Field(f.index); at.Kind() == reflect.Slice && at.Type().Elem().Kind() == reflect.String {
		at.Set(reflect.ValueOf(words))
		return nil
	}
	return f.parse(v, in, strings.Join(words, " "))
}

// didYouMean returns " (did you mean NAME?)" with the nearest of known names other than the word; "" if none is near.
func didYouMean(word string, known []string) string {
	best, nearest := 2+len(word)/4, ""
	for _, k := range known {
		if d := distance(word, k); d > 0 && d < min(best, len(word), len(k)) {
			best, nearest = d, k
		}
	}
	if nearest == "" {
		return ""
	}
	return " (did you mean " + nearest + "?)"
}

// distance returns the number of letters to add, leave out or change to make one word of another.
func distance(a, b string) int {
	if len(a) > 40 || len(b) > 40 {
		return 40
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}

// ParseArgs sets a struct of arguments from a JSON object.
func ParseArgs(object []byte, in any) error {
	if err := json.Unmarshal(object, in); err != nil {
		return badRequest("%s", FieldError(err))
	}
	if name := controlField(reflect.ValueOf(in).Elem()); name != "" {
		return badRequest("%s has a control character; leave it out", name)
	}
	return nil
}

// UnmarshalStrict sets a struct from a JSON object of the argument name and refuses fields that it does not have.
func UnmarshalStrict(name string, object []byte, in any) error {
	d := json.NewDecoder(bytes.NewReader(object))
	d.DisallowUnknownFields()
	err := d.Decode(in)
	if err == nil {
		return nil
	}
	if unknown, ok := strings.CutPrefix(err.Error(), "json: unknown field "); ok {
		var known []string
		for t, i := reflect.TypeOf(in).Elem(), 0; i < t.NumField(); i++ {
			tag, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
			known = append(known, tag)
		}
		unknown, _ = strconv.Unquote(unknown)
		return badRequest("%s has no field %q%s", name, sanitize.Line(unknown, 30), didYouMean(unknown, known))
	}
	return err
}

// controlField returns the name of the first field of a struct of arguments with a control character; "" if there is
// none. Only a text for people may have some, which are removed, and actions are for the rules to read.
func controlField(in reflect.Value) string {
	for i := range in.NumField() {
		name, _, _ := strings.Cut(in.Type().Field(i).Tag.Get("json"), ",")
		v := reflect.Indirect(in.Field(i))
		switch {
		case v.Kind() == reflect.String && name != "text" && sanitize.HasControl(v.String()):
			return name
		case v.Kind() == reflect.Struct:
			if field := controlField(v); field != "" {
				return field
			}
		}
	}
	return ""
}

// FieldError returns a message about the field of a request that has a value of the wrong type.
func FieldError(err error) string {
	var wrong *json.UnmarshalTypeError
	if !errors.As(err, &wrong) {
		if e, ok := errors.AsType[*errcode.Error](err); ok {
			return e.Message
		}
		return err.Error() // of a field with its own UnmarshalJSON
	}
	takes := "an integer"
	switch kind := wrong.Type.Kind(); {
	case wrong.Type == reflect.TypeFor[ID]():
		return wrong.Field + " must be an id"
	case wrong.Field == "actions":
		takes = "an array of strings"
	case kind == reflect.String:
		takes = "a string"
	case kind == reflect.Bool:
		takes = "true or false"
	}
	value := jsonKind(wrong.Value)
	if value == "a number" && takes == "an integer" {
		value = "a number with a fraction or out of range"
	}
	return fmt.Sprintf("%s must be %s, not %s", wrong.Field, takes, value)
}

// jsonKind returns the kind of a JSON value from encoding/json's description of it.
func jsonKind(value string) string {
	switch kind, _, _ := strings.Cut(value, " "); kind {
	case "string":
		return "a string"
	case "bool":
		return "true or false"
	case "array":
		return "an array"
	case "object":
		return "an object"
	}
	return "a number"
}
