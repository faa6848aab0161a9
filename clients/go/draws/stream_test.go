package draws

import (
	"slices"
	"testing"
)

// TestUniformIsUnbiased feeds every byte to Uniform for every n: the accepted
// ones must give each value equally often, and fewer than n may be refused.
func TestUniformIsUnbiased(t *testing.T) {
	for n := 1; n <= 256; n++ {
		seen := make([]int, n)
		refused := 0
		for b := range 256 {
			s := &Stream{block: []byte{byte(b)}}
			value, err := s.Uniform(n)
			if err != nil {
				t.Fatal(err)
			}
			if s.counter > 0 { // it went on to the next block
				refused++
				continue
			}
			seen[value]++
		}
		if refused >= n {
			t.Errorf("n = %d: %d bytes refused", n, refused)
		}
		for value, times := range seen {
			if times != 256/n {
				t.Errorf("n = %d: value %d occurs %d times, want %d", n, value, times, 256/n)
			}
		}
	}
}

func TestBadInput(t *testing.T) {
	s := NewStream([32]byte{}, PurposeTiles)
	for _, n := range []int{-1, 0, 257} {
		if _, err := s.Uniform(n); err == nil {
			t.Errorf("uniform(%d) gives no error", n)
		}
	}
	for _, k := range []int{-1, 4} {
		if _, _, err := s.Pick([]int{1, 2, 3}, k); err == nil {
			t.Errorf("pick %d of 3 gives no error", k)
		}
	}
	if _, err := RoundKey([32]byte{}, 0, make([]*[32]byte, 2)); err == nil {
		t.Error("round 0 gives no error")
	}
	for _, seats := range []int{0, 256} {
		if _, err := RoundKey([32]byte{}, 1, make([]*[32]byte, seats)); err == nil {
			t.Errorf("%d seats give no error", seats)
		}
	}
	if s.counter != 0 {
		t.Error("a refused call took bytes")
	}
}

func TestBadRound(t *testing.T) {
	seat := 2
	for name, r := range map[string]Round{
		"ruleset":      {Ruleset: "duel", Seats: 2, Number: 1},
		"seats":        {Ruleset: "azul", Seats: 5, Number: 1},
		"round":        {Ruleset: "azul", Seats: 2},
		"first player": {Ruleset: "azul", Seats: 2, Number: 1, FirstPlayer: &seat},
		"tiles":        {Ruleset: "azul", Seats: 2, Number: 1, Bag: Counts{-1}},
		"full bag":     {Ruleset: "azul", Seats: 2, Number: 1, Bag: Counts{257}},
		"gold":         {Ruleset: "azul", Seats: 2, Number: 2, Gold: make([]int, 5)},
		"no gold":      {Ruleset: "chocolatier", Seats: 2, Number: 2},
		"disc":         {Ruleset: "chocolatier", Seats: 2, Number: 2, Gold: []int{10, 0, 0, 0, 0}},
	} {
		if _, err := r.Deal(); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestPickKeepsItsInput(t *testing.T) {
	items := []int{5, 6, 7, 8}
	if _, _, err := NewStream([32]byte{}, PurposeTiles).Pick(items, 4); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(items, []int{5, 6, 7, 8}) {
		t.Errorf("items became %v", items)
	}
}
