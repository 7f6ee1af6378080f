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

// inputs are the numbers of features that the networks use.
var inputs = [networkCount]int{playNetwork: playFeatures, startNetwork: featureCount}

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

// tiniest is the smallest size of a weight that is used. What is far below it would be subnormal, and a multiplication
// with a subnormal number takes many times as long as another.
const tiniest = 1e-20

// readNetworks decodes the networks: 32-bit floating-point numbers in little-endian order.
func readNetworks(b []byte) *[networkCount]network {
	all := new([networkCount]network)
	for k := range all {
		for _, w := range all[k].parameters() {
			if x := math.Float32frombits(binary.LittleEndian.Uint32(b)); x > tiniest || x < -tiniest {
				*w = x
			}
			b = b[4:]
		}
	}
	return all
}

// logOdds returns the logarithm of the odds of winning of a seat by the first of its features, as many as the network
// has inputs.
func (n *network) logOdds(x *featureValues, inputs int) float32 {
	sum := dot(n.linear[:inputs], x[:inputs])
	for h := range n.hidden {
		if active := n.bias[h] + dot(n.hidden[h][:inputs], x[:inputs]); active > 0 {
			sum += active * n.output[h]
		}
	}
	return sum
}

// dot returns the scalar product. Four sums are faster than one, since additions need not wait for each other.
func dot(w, x []float32) float32 {
	var a, b, c, d float32
	for len(w) >= 4 && len(x) >= 4 {
		a += w[0] * x[0]
		b += w[1] * x[1]
		c += w[2] * x[2]
		d += w[3] * x[3]
		w, x = w[4:], x[4:]
	}
	for i := range min(len(w), len(x)) {
		a += w[i] * x[i]
	}
	return a + b + c + d
}
