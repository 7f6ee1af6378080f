package store

import (
	"database/sql"
	"encoding/json"

	"ayumu/engine"
	"ayumu/lobby/rating"
)

// storedResult is the stored form of an engine.Result, places included.
type storedResult struct {
	Winners []int  `json:"winners"`
	Reason  string `json:"reason"`
	Scores  []int  `json:"scores,omitempty"`
	Places  []int  `json:"places,omitempty"`
}

// storedEnd is the stored form of the end of a match in the archive: the result, and why seats left.
type storedEnd struct {
	storedResult
	Departures []string `json:"departures,omitempty"`
}

func encodeResult(r engine.Result) ([]byte, error) { return encodeEnd(r, nil) }

func encodeEnd(r engine.Result, departures []string) ([]byte, error) {
	if r.Winners == nil {
		r.Winners = []int{}
	}
	return json.Marshal(storedEnd{storedResult(r), departures})
}

func decodeResult(raw []byte) (engine.Result, error) {
	r, _, err := decodeEnd(raw)
	return r, err
}

func decodeEnd(raw []byte) (engine.Result, []string, error) {
	var r storedEnd
	err := json.Unmarshal(raw, &r)
	if r.Winners == nil {
		r.Winners = []int{}
	}
	return engine.Result(r.storedResult), r.Departures, err
}

// storedRating is the stored form of a rating.Rating.
type storedRating struct {
	Value      float64 `json:"value"`
	Deviation  float64 `json:"deviation"`
	Volatility float64 `json:"volatility"`
	Games      int     `json:"games"`
}

func encodeRating(r *rating.Rating) sql.NullString {
	if r == nil {
		return sql.NullString{}
	}
	raw, err := json.Marshal(storedRating(*r))
	return sql.NullString{String: string(raw), Valid: err == nil}
}
