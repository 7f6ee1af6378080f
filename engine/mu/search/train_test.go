package search

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ayumu/engine/search/searchtest"
)

// BenchmarkTrain makes weights.bin from nothing; docs/engines.md has the command, its time and its figures. Each
// stage plays games with the networks so far (selfplay_test.go), writes what the searches said to a file, and fits
// a network to one or several such files (fit_test.go). A file that exists is read instead, so that a run that was
// interrupted goes on. Everything but the time follows from the seed.
var (
	flagFolder    = flag.String("mu.folder", "", "folder for the positions of each stage")
	flagWeightOut = flag.String("mu.weights", "", "file to write the networks to after each stage, in engine/mu/search")
	flagFrom      = flag.String("mu.from", "", "first stage; those before it are left out, and the networks are those of the build")
	flagScale     = flag.Float64("mu.scale", 1, "part of the games of each stage that are played")
	flagWorkers   = flag.Int("mu.workers", 1, "games that are played at the same time")
)

// stage is a step of the training.
type stage struct {
	name     string                                    // of its file
	games    int                                       // number of games
	play     func(seed, g uint64, playouts int) string // plays one and returns its positions
	playouts int                                       // of each search in them
	kind     int                                       // network that is fitted
	use      []string                                  // files that it is fitted to
	rounds   int                                       // passes over them
}

// stages are the steps from nothing to weights.bin.
var stages = []stage{
	{"play-1", 100, playTraining, 15, playNetwork, []string{"play-1"}, 20},
	{"play-2", 150, playTraining, 30, playNetwork, []string{"play-2"}, 20},
	{"play-3", 1000, playTraining, 30, playNetwork, []string{"play-3"}, 12},
	{"start-1", 12000, playRandomStart, 3, startNetwork, []string{"start-1"}, 60},
	{"start-2", 4000, playChosenStart, 3, startNetwork, []string{"start-1", "start-2"}, 300},
}

func BenchmarkTrain(b *testing.B) {
	if *flagFolder == "" {
		b.Skip("-mu.folder names no folder")
	}
	networks[playNetwork] = *firstNetwork()
	if *flagFrom != "" {
		networks = readNetworks(weightBytes)
	}
	for b.Loop() {
		begin, left := time.Now(), *flagFrom != ""
		for i := range stages {
			s := &stages[i]
			if left = left && s.name != *flagFrom; left {
				continue
			}
			if err := s.generate(*flagSeed<<8 + uint64(i)); err != nil {
				b.Fatal(err)
			}
			fmt.Printf("%s: %v\n", s.name, time.Since(begin).Round(time.Second))
			if err := s.fit(); err != nil {
				b.Fatal(err)
			}
			fmt.Printf("%s: fitted, %v\n", s.name, time.Since(begin).Round(time.Second))
		}
	}
}

// pathOf returns the name of the file of a stage.
func pathOf(stage string) string { return filepath.Join(*flagFolder, stage) }

// generate plays the games of the stage and writes its file.
func (s *stage) generate(seed uint64) error {
	name := pathOf(s.name)
	if _, err := os.Stat(name); err == nil {
		return nil
	}
	n := int(float64(s.games) * *flagScale)
	games := searchtest.InParallel(n, *flagWorkers, func(g int) string {
		if g%max(1, n/10) == 0 {
			fmt.Printf("%s: game %d of %d\n", s.name, g+1, n)
		}
		return s.play(seed, uint64(g), s.playouts)
	})
	unfinished := name + ".part"
	if err := os.WriteFile(unfinished, []byte(strings.Join(games, "\n")), 0o644); err != nil {
		return err
	}
	return os.Rename(unfinished, name)
}
