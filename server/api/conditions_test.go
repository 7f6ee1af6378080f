package api

import (
	"fmt"
	"strings"
	"testing"

	"ayumu/lobby"
)

// TestConditions arms and deletes conditions; an answer by one is marked, and others see no condition before.
func TestConditions(t *testing.T) {
	inBubble(t, func(t *testing.T, l *lobby.Lobby) {
		first, second, id := pair(connect(t, l, "ana"), connect(t, l, "bob"), `"options":{"size":7,"pie":false},"clock":{"days":3}`)
		m := fmt.Sprintf(`,"match":%q`, id)
		first.must("act", m+`,"version":0,"actions":["b1-b2"]`)
		first.take("")
		second.take("")
		line := `[["a2-a3"],["d1-d2"],["c2-c3"],["f1-f2"]]`
		want := func(got map[string]any, revision int, conditions string) {
			t.Helper()
			if text := strings.NewReplacer("[", "", "]", "").Replace(fmt.Sprint(got["conditions"])); got["revision"] != float64(revision) || text != conditions {
				t.Errorf("got %v, want %d %s", got, revision, conditions)
			}
		}
		want(first.must("conditions", m), 0, "")
		want(first.must("condition", m+`,"version":1,"turns":`+line), 1, "a2-a3 d1-d2 c2-c3 f1-f2")
		want(first.must("condition", m+`,"version":1,"revision":1,"turns":[["C2-c3 "],["d1-d2"],["a2-a3"]]`), 2, "a2-a3 d1-d2 c2-c3 f1-f2 c2-c3 d1-d2")
		want(second.must("conditions", m), 0, "")
		for request, code := range map[string]string{
			`"turns":[["a2-a3"],["d1-d2"]]`: "bad_request",
			`"version":1`:                   "bad_request",
			`"version":1,"remove":0`:        "bad_request",
			`"version":1,"revision":2,"remove":0,"turns":[["a2-a3"]]`:     "bad_request",
			`"version":1,"revision":1,"remove":0`:                         "stale_version",
			`"version":1,"revision":-1,"remove":0`:                        "stale_version",
			`"version":0,"turns":[["a2-a3"],["d1-d2"]]`:                   "stale_version",
			`"version":1,"turns":[["a2-a3"],["a2-a3"]]`:                   "illegal_action",
			`"version":1,"turns":[["a2-a3"],["f1-f2"]]`:                   "not_allowed",
			`"version":1,"turns":[]`:                                      "bad_request",
			`"version":1,"turns":[[]]`:                                    "illegal_action",
			`"version":1,"revision":2,"remove":9`:                         "bad_request",
			`"version":1,"match":"nothing","turns":[["a2-a3"],["b2-b3"]]`: "unknown_match",
		} {
			for _, o := range askAll(t, first.s, `{"id":1,"op":"condition"`+m+`,`+request+`}`) {
				if o["re"] == 1.0 && errorCode(o) != code {
					t.Errorf("%s: %v", request, o)
				}
			}
		}
		want(first.must("condition", m+`,"version":1,"revision":2,"remove":1`), 3, "a2-a3 d1-d2 c2-c3 f1-f2")
		if got := second.must("act", m+`,"version":1,"actions":["a2-a3"]`); got["version"] != 2.0 {
			t.Errorf("the turn made %v", got)
		}
		for _, c := range []*program{first, second} {
			c.wants("turn", `{"event":"turn","version":2,"seat":1}`, `{"event":"turn","version":3,"seat":0,"actions":["d1-d2"],"by":"condition","turn":1}`)
		}
		want(first.must("conditions", m), 3, "c2-c3 f1-f2")
		second.must("resign", m)
		want(first.must("conditions", m), 0, "")
	})
}
