package api

// operation answers a request. A nil answer is one without fields.
type operation func(*conn, *request) (fields, error)

// byHand has the operations that the API implements for itself, by name.
var byHand map[string]operation

func init() { // a literal would refer to itself by way of the methods
	byHand = map[string]operation{
		"ping": func(*conn, *request) (fields, error) { return nil, nil },
		"help": func(p *conn, _ *request) (fields, error) {
			return fields{"operations": p.visit.Operations.Describe().Operations}, nil
		},
		"watch":    with(matchOps.watch),
		"unwatch":  with(matchOps.unwatch),
		"act":      with(matchOps.act),
		"hint":     with(matchOps.hint),
		"analysis": with(matchOps.analysis),
	}
}

// with returns a method of one of the types of operations as an operation.
func with[T ~struct{ *conn }](do func(T, *request) (fields, error)) operation {
	return func(p *conn, r *request) (fields, error) { return do(T{p}, r) }
}
