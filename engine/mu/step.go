package mu

// StepKind is what happened in a step.
type StepKind uint8

// The kinds of steps. Every one names a cell, At, and says how many men stand there after it,
// Height; so a screen that follows the steps always knows each cell that differs. Men that have
// left one cell and not yet come to another are in the air between two steps.
const (
	Laid           StepKind = iota // Seat laid the segment with centre At; his man stands on it
	Cleared                        // Seat took his man from the centre At
	Filled                         // one man of Seat was put on cell At of his last segment
	Moved                          // Men men of Seat left At in direction Dir for the cell To
	Landed                         // Men men of Seat came to At, which was empty
	Merged                         // Men men of Seat came to At and joined a piece of theirs
	Captured                       // Men men of Seat came to At and took the piece of Other off the board, Taken men
	Exploded                       // the piece of Seat on At sent Men men to its neighbours; Landed, Merged and Captured steps follow
	BecameCommon                   // the exploding virgin cell At became a cell of the Commonwealth
	BecameWall                     // the exploding virgin cell At became a cell of the Wall
	ManAdded                       // the cell At, now of the Commonwealth, grew one man of Seat
	SectionStopped                 // the section of At oscillates: its cells explode no more
	Trimmed                        // the piece of Seat on At was brought to the limit of the cell
	Removed                        // the man of Seat, who left, was taken off At
	PassedOver                     // Seat has no men, or has left; At says nothing
)

// Step is one thing that an action did.
type Step struct {
	Kind   StepKind
	Dir    Dir
	Seat   uint8
	Other  uint8
	Men    uint16
	Taken  uint16
	Height uint16
	At, To Hex
}
