package search

import (
	_ "embed"
	"encoding/binary"
	"math"
)

// hiddenUnits is the number of hidden units of the network.
const hiddenUnits = 16

// network estimates the logarithm of the odds of winning of a seat from its features: a linear part and a layer
// of rectified units. BenchmarkLearn fits it.
type network struct {
	linear featureValues
	hidden [hiddenUnits]featureValues
	bias   [hiddenUnits]float32
	output [hiddenUnits]float32
}

// Networks.
const (
	playNetwork  = iota // for positions of play
	startNetwork        // for the start of play, to compare layouts
	networkCount
)

var (
	//go:embed weights.bin
	weightBytes []byte
	networks    = readNetworks(weightBytes)
)

// parameters returns all weights in the order of the file.
func (n *network) parameters() []*float32 {
	var all []*float32
	for i := range n.linear {
		all = append(all, &n.linear[i])
	}
	for h := range n.hidden {
		for i := range n.hidden[h] {
			all = append(all, &n.hidden[h][i])
		}
		all = append(all, &n.bias[h], &n.output[h])
	}
	return all
}

// readNetworks decodes the networks: 32-bit floating-point numbers in little-endian order.
func readNetworks(b []byte) *[networkCount]network {
	all := new([networkCount]network)
	for k := range all {
		for _, w := range all[k].parameters() {
			*w = math.Float32frombits(binary.LittleEndian.Uint32(b))
			b = b[4:]
		}
	}
	return all
}

// logOdds returns the logarithm of the odds of winning of a seat with these features.
func (n *network) logOdds(x *featureValues) float32 {
	sum := dot(&n.linear, x)
	for h := range n.hidden {
		if active := n.bias[h] + dot(&n.hidden[h], x); active > 0 {
			sum += active * n.output[h]
		}
	}
	return sum
}

// dot returns the scalar product.
func dot(w, x *featureValues) float32 {
	var a, b float32
	for i := 0; i < featureCount; i += 2 {
		a += w[i] * x[i]
		b += w[i+1] * x[i+1]
	}
	return a + b
}
