package search

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
)

// layerUnits is the number of units of a layer.
const layerUnits = 32

// layer is the first layer of a network. Its inputs are features that are present or not, some of them several times: it
// adds a row of weights for each.
type layer struct {
	rows   []row
	biases [layerUnits]float32
}

// row has the weights of a feature for all units, four in each word, the first one in the lowest bits. A weight is a
// multiple of rowUnit from -rowOffset to rowOffset-1. rowOffset is added to it, so that four of them can be added at once,
// maxSummed times without a carry.
type row [layerUnits / lanes]uint64

const (
	rowUnit   = 1.0 / 256
	rowOffset = 512
	lanes     = 4
	laneBits  = 16
	maxSummed = 1 << laneBits / (2 * rowOffset)
)

// weightReader decodes embedded weights. err is the first error.
type weightReader struct {
	data []byte
	err  error
}

// errShort reports weights that end too early.
var errShort = errors.New("the weights end too early")

// floats reads 32-bit floating-point numbers in little-endian order.
func (r *weightReader) floats(x []float32) {
	if len(r.data) < 4*len(x) {
		r.data, r.err = nil, errShort
		return
	}
	for i := range x {
		x[i] = math.Float32frombits(binary.LittleEndian.Uint32(r.data[4*i:]))
	}
	r.data = r.data[4*len(x):]
}

// layer reads a layer with that many features: its biases, and the weights of its rows, in units of rowUnit, as variable-length
// integers.
func (r *weightReader) layer(features int) *layer {
	l := &layer{rows: make([]row, features)}
	r.floats(l.biases[:])
	for f := range l.rows {
		for i := range layerUnits {
			x, n := binary.Varint(r.data)
			if n <= 0 {
				r.data, r.err = nil, errShort
				return l
			}
			r.data = r.data[n:]
			l.rows[f][i/lanes] |= uint64(min(max(x, -rowOffset), rowOffset-1)+rowOffset) << (i % lanes * laneBits)
		}
	}
	return l
}

// decode decodes the weights of a file of this package, which are compressed. Since the file is a part of the program, an
// error is a fault of the build.
func decode[T any](name string, packed []byte, read func(*weightReader) T) T {
	data, err := io.ReadAll(flate.NewReader(bytes.NewReader(packed)))
	r := weightReader{data: data, err: err}
	w := read(&r)
	if r.err != nil || len(r.data) > 0 {
		panic(fmt.Sprintf("ayu: %s: %v, %d bytes are left", name, r.err, len(r.data)))
	}
	return w
}

// sums returns the sum of the biases and the rows of the features for each unit.
func (l *layer) sums(features []uint16) (sums [layerUnits]float32) {
	sums = l.biases
	for len(features) > 0 {
		n := min(len(features), maxSummed)
		// The loop is unrolled so that the sums are in registers.
		var a, b, c, d, e, f, g, h uint64
		for _, x := range features[:n] {
			r := &l.rows[x]
			a, b, c, d = a+r[0], b+r[1], c+r[2], d+r[3]
			e, f, g, h = e+r[4], f+r[5], g+r[6], h+r[7]
		}
		offset := int32(n * rowOffset)
		for i, packed := range [...]uint64{a, b, c, d, e, f, g, h} {
			s := (*[lanes]float32)(sums[lanes*i:])
			s[0] += float32(int32(uint16(packed))-offset) * rowUnit
			s[1] += float32(int32(uint16(packed>>laneBits))-offset) * rowUnit
			s[2] += float32(int32(uint16(packed>>(2*laneBits)))-offset) * rowUnit
			s[3] += float32(int32(uint16(packed>>(3*laneBits)))-offset) * rowUnit
		}
		features = features[n:]
	}
	return sums
}
