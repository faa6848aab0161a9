package verify

import (
	"fmt"
	"testing"
)

func ns(n uint64) *uint64 { return &n }

func seatNumber(n uint32) *uint32 { return &n }

// clocks are the rules that the matches of the tests are played with.
var clocks = []*clockRule{
	nil,
	{},
	{moveLimit: ns(5_000_000_000)},
	{moveLimit: ns(1_500_000), startup: 4_000_000},
	{bank: ns(60_000_000), increment: 1_000_000, startup: 1_000_000},
	{moveLimit: ns(1_900_000), bank: ns(30_000_000), increment: 900_000},
}

// plans returns matches of many kinds.
func plans(n int) []plan {
	var out []plan
	for i := range n {
		p := plan{
			ruleset: []string{"azul", "azul-gray"}[i%2], seats: 2 + i/2%3, seed: int64(i),
			strikes: uint32(1 + i%5), clock: clocks[i%len(clocks)],
		}
		p.fixed = i%4 == 0
		if !p.fixed {
			p.shares = i % (p.seats + 1)
		}
		if i%3 > 0 {
			p.mischief = []float64{0.02, 0.1, 0.3}[i/3%3]
		}
		if i%7 == 0 {
			p.absent = i / 7 % (p.seats + 1)
		}
		if i%11 == 0 {
			p.stop, p.stopAt = []string{"voided", "aborted", "lost", "open"}[i/11%4], uint32(i%60)
		}
		if i%13 == 0 {
			p.cap = uint32(1 + i%3)
		}
		if i%17 == 0 {
			p.named = seatNumber(uint32(i % p.seats))
		}
		out = append(out, p)
	}
	return out
}

func TestMatchesHold(t *testing.T) {
	seen := map[string]int{}
	for _, p := range plans(600) {
		s := write(p)
		report := Verify(s.file(), Options{Key: s.public()})
		want := OK
		if s.unsign {
			want = Incomplete
		}
		if p.stop == "lost" && s.lost {
			want = Draws
		}
		if report.Verdict != want {
			t.Fatalf("%+v: %v", p, report)
		}
		seen[report.Fairness]++
	}
	for _, level := range []string{"F0", "F1", "F2", "fixed", ""} {
		if seen[level] == 0 {
			t.Errorf("no match with the fairness %q", level)
		}
	}
	t.Log(fmt.Sprint(seen))
}
