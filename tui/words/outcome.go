package words

import (
	"ayumu/engine"
	"ayumu/lobby"
)

// endingTexts describes the reasons for which a match ended, where the list names them.
var endingTexts = map[string]string{
	engine.ReasonResign: " by resignation", engine.ReasonTime: " on time", engine.ReasonLeft: ", the opponent left",
	engine.ReasonRepetition: " by repetition", engine.ReasonDraw: " by agreement",
}

// DescribeOutcome describes the outcome of a finished match for a list: "ana won on time".
func DescribeOutcome(f *lobby.FinishedMatch) string {
	departed := ""
	if text := Departures(f); text != "" {
		departed = " (" + text + ")"
	}
	switch winners := f.Result.Winners; len(winners) {
	case 0:
		return "aborted"
	case 1:
		text := f.Info.Seats[winners[0]].Name + " won"
		if f.Result.Reason == engine.ReasonLeft && len(f.Info.Seats) > 2 {
			return text + ", everyone else left" + departed
		}
		return text + endingTexts[f.Result.Reason] + departed
	}
	return "draw" + endingTexts[f.Result.Reason] + departed
}
