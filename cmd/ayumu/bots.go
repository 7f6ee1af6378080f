package main

import (
	"context"
	"errors"
	"time"

	"ayumu/engine"
	"ayumu/engine/bot"
)

// thinker lets the lobby's bots think with the engine's players.
type thinker struct{}

// Think implements bots.Thinker.
func (thinker) Think(_ context.Context, p engine.Position, level int, _ time.Duration) (string, error) {
	action, ok := bot.Choose(p, level)
	if !ok {
		return "", errors.New("no action is legal")
	}
	return action, nil
}
