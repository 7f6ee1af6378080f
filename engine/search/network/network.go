// Package network has what the networks of all engines share: a first layer whose inputs are features that are present or
// not, and the decoding of embedded weights. It knows no game.
package network

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
)

// Neurons is the number of neurons of a layer.
const Neurons = 32

// Layer is the first layer of a network. Its inputs are features that are present or not, some of them several times: it
// adds a row of weights for each.
type Layer struct {
	rows   []row
	Biases [Neurons]float32
}

// row has the weights of a feature for all neurons, four in each word, the first one in the lowest bits. A weight is a
// multiple of WeightStep from -RowOffset to RowOffset-1. RowOffset is added to it, so that four of them can be added at once,
// maxSummed times without a carry.
type row [Neurons / lanes]uint64

const (
	WeightStep = 1.0 / 256
	RowOffset  = 512
	lanes      = 4
	laneBits   = 16
	maxSummed  = 1 << laneBits / (2 * RowOffset)
)

// Reader decodes embedded weights. err is the first error.
type Reader struct {
	data []byte
	err  error
}

// errShort reports weights that end too early.
var errShort = errors.New("the weights end too early")

// fail ends reading, with the error of weights that end too early unless there was one before.
func (r *Reader) fail() {
	r.data = nil
	if r.err == nil {
		r.err = errShort
	}
}

// Floats reads 32-bit floating-point numbers in little-endian order.
func (r *Reader) Floats(x []float32) {
	if len(r.data) < 4*len(x) {
		r.fail()
		return
	}
	for i := range x {
		x[i] = math.Float32frombits(binary.LittleEndian.Uint32(r.data[4*i:]))
	}
	r.data = r.data[4*len(x):]
}

// Layer reads a layer with that many features: its biases, and the weights of its rows, as multiples of WeightStep, as variable-length
// integers.
func (r *Reader) Layer(features int) *Layer {
	l := &Layer{rows: make([]row, features)}
	r.Floats(l.Biases[:])
	for f := range l.rows {
		for i := range Neurons {
			x, n := binary.Varint(r.data)
			if n <= 0 {
				r.fail()
				return l
			}
			r.data = r.data[n:]
			l.rows[f][i/lanes] |= uint64(min(max(x, -RowOffset), RowOffset-1)+RowOffset) << (i % lanes * laneBits)
		}
	}
	return l
}

// Decode decompresses the embedded weights of the file with that name and reads them. It panics if they are damaged, too short
// or too long, since the file is a part of the program.
func Decode[T any](name string, packed []byte, read func(*Reader) T) T {
	data, err := io.ReadAll(flate.NewReader(bytes.NewReader(packed)))
	r := Reader{data: data, err: err}
	w := read(&r)
	if r.err != nil || len(r.data) > 0 {
		panic(fmt.Sprintf("%s: %v, %d bytes are left", name, r.err, len(r.data)))
	}
	return w
}

// Sums returns the sum of the biases and the rows of the features for each neuron.
func (l *Layer) Sums(features []uint16) (sums [Neurons]float32) {
	sums = l.Biases
	for len(features) > 0 {
		n := min(len(features), maxSummed)
		// The loop is unrolled so that the sums are in registers.
		var a, b, c, d, e, f, g, h uint64
		for _, x := range features[:n] {
			r := &l.rows[x]
			a, b, c, d = a+r[0], b+r[1], c+r[2], d+r[3]
			e, f, g, h = e+r[4], f+r[5], g+r[6], h+r[7]
		}
		offset := int32(n * RowOffset)
		for i, packed := range [...]uint64{a, b, c, d, e, f, g, h} {
			s := (*[lanes]float32)(sums[lanes*i:])
			s[0] += float32(int32(uint16(packed))-offset) * WeightStep
			s[1] += float32(int32(uint16(packed>>laneBits))-offset) * WeightStep
			s[2] += float32(int32(uint16(packed>>(2*laneBits)))-offset) * WeightStep
			s[3] += float32(int32(uint16(packed>>(3*laneBits)))-offset) * WeightStep
		}
		features = features[n:]
	}
	return sums
}
