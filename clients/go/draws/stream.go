package draws

import (
	"fmt"
	"slices"
)

// The purposes of the streams of a round that this package deals with.
const (
	PurposeTiles            uint8 = 1
	PurposeFirstPlayer      uint8 = 2
	PurposeSpecialFactories uint8 = 3
	PurposePlates           uint8 = 4 // Azul Duel
	PurposeChips            uint8 = 5 // Azul Duel
	PurposeGoals            uint8 = 6 // Azul Duel
)

// Stream is the endless random stream of one round and one purpose. It keeps
// its place from call to call.
type Stream struct {
	key     [32]byte
	purpose uint8
	counter uint32 // number of the next block
	block   []byte // what is left of the current block
}

// NewStream returns the stream of a round key and a purpose, at its beginning.
func NewStream(roundKey [32]byte, purpose uint8) *Stream {
	return &Stream{key: roundKey, purpose: purpose}
}

// Next returns the next byte.
func (s *Stream) Next() byte {
	if len(s.block) == 0 {
		sum := mac(s.key, "stream", []byte{s.purpose}, u32(s.counter))
		s.block = sum[:]
		s.counter++
	}
	b := s.block[0]
	s.block = s.block[1:]
	return b
}

// Uniform returns an unbiased number from 0 to n-1, for n from 1 to 256. It
// takes at least one byte, even for n = 1.
func (s *Stream) Uniform(n int) (int, error) {
	if n < 1 || n > 256 {
		return 0, fmt.Errorf("draws: uniform(%d), want 1 to 256", n)
	}
	limit := 256 - 256%n
	for {
		if b := int(s.Next()); b < limit {
			return b % n, nil
		}
	}
}

// Pick draws k of the items, one after the other. It returns them in the order
// drawn, and the rest in the order they had; items itself stays as it is.
func (s *Stream) Pick(items []int, k int) (picked, rest []int, err error) {
	if k < 0 || k > len(items) {
		return nil, nil, fmt.Errorf("draws: pick %d of %d items", k, len(items))
	}
	rest = slices.Clone(items)
	picked = make([]int, 0, k)
	for range k {
		p, err := s.Uniform(len(rest))
		if err != nil {
			return nil, nil, err
		}
		picked = append(picked, rest[p])
		rest = slices.Delete(rest, p, p+1)
	}
	return picked, rest, nil
}
