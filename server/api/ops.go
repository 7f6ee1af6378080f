package api

// operation answers a request. A nil answer is one without fields.
type operation func(*session, *request) (fields, error)

// byHand has the operations that the API implements for itself, by name.
var byHand map[string]operation

func init() { // a literal would refer to itself by way of the methods
	byHand = map[string]operation{
		"ping": func(*session, *request) (fields, error) { return nil, nil },
		"help": func(p *session, _ *request) (fields, error) {
			return fields{"operations": p.visit.Operations.Describe().Operations}, nil
		},
		"watch":    (*session).watch,
		"unwatch":  (*session).unwatch,
		"act":      (*session).act,
		"hint":     (*session).hint,
		"analysis": (*session).analyze,
	}
}
