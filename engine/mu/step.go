package mu

// StepKind is the kind of a step.
type StepKind uint8

// Kinds of steps. Every step except PassedOver names a cell, At, and the number of men on it after the
// step, Height, so that a screen can follow every change. Between two steps, men that have left one cell
// may not yet have landed on another.
const (
	Laid           StepKind = iota // Seat placed the segment with centre At and a man on it
	Cleared                        // Seat removed their man from the centre At
	Filled                         // a man of Seat was put on cell At of their last segment
	Moved                          // Men men of Seat left At in direction Dir for the cell To
	Landed                         // Men men of Seat landed on At, which was empty
	Merged                         // Men men of Seat landed on At and joined their piece
	Captured                       // Men men of Seat landed on At and removed the piece of Other, Taken men
	Exploded                       // the piece of Seat on At sent Men men to its neighbours; Landed, Merged and Captured steps follow
	BecameCommon                   // the exploding virgin cell At became a cell of the Commonwealth
	BecameWall                     // the exploding virgin cell At became a cell of the Wall
	ManAdded                       // a man of Seat was added on At, now of the Commonwealth
	SectionStopped                 // the section of At oscillates; its cells explode no more
	Trimmed                        // the piece of Seat on At was changed to the limit of the cell
	Removed                        // a man of Seat was removed from At because the seat left
	PassedOver                     // the turn of Seat was skipped: it has no men or has left; At is unset
)

// Step is one effect of an action.
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
