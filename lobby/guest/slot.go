package guest

import (
	"context"
	"errors"
	"strconv"

	"ayumu/lobby/cluster/rows"
)

// KindSlot is the kind of the rows of the slots. Their data are the names of the nodes.
const KindSlot = "slot"

// slots is the number of slots: one for each letter of a code.
const slots = 32

// Slot is one of the parts of the names that guests can get. Each node gives only names of its own slot, so that two
// nodes never give the same name at once. The zero Slot is that of a node that is alone, or for which there was none:
// it has all names.
type Slot struct{ letter string }

// TakeSlot returns the slot of a node, which it takes from a node that is not alive if it has none. letters are the 32
// letters of codes. readAlive reads which nodes are alive; it is called after the slots were read, so that a node that
// has just started, and taken a slot, is among them.
func TakeSlot(ctx context.Context, s rows.Store, node, letters string, readAlive func(context.Context) (isAlive func(node string) bool, err error)) (Slot, error) {
	keys := make([]rows.Key, slots)
	for i := range keys {
		keys[i] = rows.Key{Kind: KindSlot, ID: strconv.Itoa(i)}
	}
	for {
		found, err := s.Read(ctx, keys...)
		if err != nil {
			return Slot{}, err
		}
		isAlive, err := readAlive(ctx)
		if err != nil {
			return Slot{}, err
		}
		versions := make(map[rows.Key]int64)
		free, own := -1, -1
		for _, r := range found {
			versions[r.Key] = r.Version
			i, _ := strconv.Atoi(r.ID)
			switch holder := string(r.Data); {
			case holder == node:
				own = i
			case !isAlive(holder):
				free = i
			}
		}
		for i, k := range keys {
			if versions[k] == 0 {
				free = i // rather than one that a node may want back
				break
			}
		}
		switch {
		case own >= 0:
			return Slot{letters[own : own+1]}, nil
		case free < 0:
			return Slot{}, nil
		}
		_, err = s.Write(ctx, rows.Write{Key: keys[free], Replaces: versions[keys[free]], Data: []byte(node)})
		switch {
		case err == nil:
			return Slot{letters[free : free+1]}, nil
		case !errors.Is(err, rows.ErrConflict): // which means that another node has taken it: look again
			return Slot{}, err
		}
	}
}

// Name returns the name of a guest with a random code.
func (s Slot) Name(code string) string { return "guest-" + s.letter + code[len(s.letter):] }
