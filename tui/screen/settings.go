package screen

import (
	"encoding/json"
	"time"
)

// Settings are a user's settings for the screens. They are kept with the account; a guest's last as
// long as the session.
type Settings struct {
	Bell        bool `json:"bell"`
	Background  int  `json:"ground"`
	Plain       bool `json:"plain"`    // no colours
	RedGreen    bool `json:"redgreen"` // colours for red-green blindness
	ASCII       bool `json:"ascii"`
	Confirm     bool `json:"confirm"`
	ReplaySpeed int  `json:"pace"`  // of replays, an index into ReplaySpeeds
	Walk        bool `json:"walk"`  // moved pieces are shown on their way
	KeepChat    bool `json:"chat"`  // the chat's input line stays open after a message
	Coach       bool `json:"coach"` // advice and warnings in the first games against bots
}

// The background for which colours are chosen.
const (
	BackgroundAuto = iota // as the terminal reports
	BackgroundDark
	BackgroundLight
)

// ReplaySpeeds are the speeds of replays: the duration of a step. Index 0 switches replays of other
// players' turns off.
var ReplaySpeeds = []struct {
	Name string
	Step time.Duration
}{{"off", 0}, {"slow", 900 * time.Millisecond}, {"normal", 450 * time.Millisecond}, {"fast", 150 * time.Millisecond}}

// DefaultSpeed is the index of the speed for users who have not set one.
const DefaultSpeed = 2

// DefaultSettings are the settings of users who have not changed them.
var DefaultSettings = Settings{Bell: true, Confirm: true, ReplaySpeed: DefaultSpeed, Walk: true, Coach: true}

// ReadSettings parses stored settings. Unknown fields are ignored and values out of range are clamped;
// text that cannot be parsed gives the defaults.
func ReadSettings(raw []byte) Settings {
	s := DefaultSettings
	if len(raw) == 0 || json.Unmarshal(raw, &s) != nil {
		return DefaultSettings
	}
	s.Background = max(min(s.Background, BackgroundLight), BackgroundAuto)
	s.ReplaySpeed = max(min(s.ReplaySpeed, len(ReplaySpeeds)-1), 0)
	return s
}
