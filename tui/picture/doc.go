// Package picture draws positions as pictures outside of a terminal: as SVG, as PNG, as an animated GIF, and as a
// recording of a terminal (asciicast).
//
// A game describes a position once, as a [Drawing]: sprites on a plane. [Drawing.SVG], [Card] and [WriteGIF] are made of
// the same drawings, so that a picture looks the same everywhere. Text becomes outlines of the embedded Go fonts, so that no
// picture depends on the fonts of a reader. Equal drawings have equal bytes.
//
// Drawings and sprites are immutable. Any goroutine may use the package.
package picture
