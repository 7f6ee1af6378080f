package screen

import "reflect"

// overlays is the part of a Shell that knows the screens drawn instead of the current one.
type overlays struct {
	overlay Screen // such as the settings; nil: none
	covered Screen // the overlay below overlay, which is a help page; nil: none
}

// OpenOverlay draws v instead of the current screen and of an open overlay. If a help page covers an overlay
// of v's type and name, that one is shown again.
func (s *overlays) OpenOverlay(v Screen) {
	if s.covered != nil && reflect.TypeOf(s.covered) == reflect.TypeOf(v) && s.covered.Traits().Name == v.Traits().Name {
		v = s.covered
	}
	s.overlay, s.covered = v, nil
}

// CoverOverlay draws v instead of the current screen, and over an open overlay, to which CloseOverlay then
// returns.
func (s *overlays) CoverOverlay(v Screen) { s.overlay, s.covered = v, s.overlay }

// CloseOverlay closes the overlay.
func (s *overlays) CloseOverlay() { s.overlay, s.covered = s.covered, nil }

// CloseOverlays closes the overlay, and the one below it.
func (s *overlays) CloseOverlays() { *s = overlays{} }

// Overlay returns the overlay that hides the current screen; nil if there is none.
func (s *overlays) Overlay() Screen { return s.overlay }

// HasOverlay reports whether an overlay hides the current screen.
func (s *overlays) HasOverlay() bool { return s.overlay != nil }
