package search

import (
	"context"
	"io"
	"os"
	"path/filepath"
)

// Trainer is an Engine that makes its own weights, by games against itself. The engines have it in builds with the tag train
// (docs/engines.md).
type Trainer interface {
	Engine
	// Train makes the weights and writes them to the folder. Everything but the time follows from the seed. At the end of
	// ctx it returns its error, once the games that are being played have ended.
	Train(ctx context.Context, c TrainConfig) error
}

// TrainConfig says how an engine is trained. A training has stages, each of which plays games with the weights of the one
// before and fits new weights to them.
type TrainConfig struct {
	Folder   string  // for the weights, and for what an interrupted training goes on from; it exists
	Scale    float64 // part of the games of each stage that are played, more than 0; 1: all
	From, To int     // the first stage, from 1, and the last one; To 0: all
	AtOnce   int     // games that are played at the same time, at least 1
	Seed     uint64
	Log      io.Writer // gets a line about each step
}

// WriteFile writes a file of the folder, which is complete as soon as it has its name.
func (c TrainConfig) WriteFile(name string, data []byte) error {
	path := filepath.Join(c.Folder, name)
	if err := os.WriteFile(path+".part", data, 0o644); err != nil {
		return err
	}
	return os.Rename(path+".part", path)
}

// BookMaker is an Engine that makes its own opening book. As Trainer it is one in builds with the tag train.
type BookMaker interface {
	Engine
	// MakeBook returns the book as the engine reads it. Everything but the time follows from the seed. At the end of ctx it
	// returns its error, once the searches of the moment have ended.
	MakeBook(ctx context.Context, c BookConfig) (string, error)
}

// BookConfig says how an opening book is made.
type BookConfig struct {
	Playouts int // of each position, at least 1
	AtOnce   int // positions that are searched at the same time, at least 1
	Seed     uint64
	Log      io.Writer // gets a line about each step
}
