package verify

import (
	"encoding/binary"
	"math/rand"
	"testing"
)

// TestLaterHeads compares the search for heads with one that tries every index
// at every place.
func TestLaterHeads(t *testing.T) {
	random := rand.New(rand.NewSource(2))
	found := 0
	for range 300 {
		var match matchID
		random.Read(match[:])
		rest := make([]byte, random.Intn(300))
		random.Read(rest)
		next := random.Intn(40)
		last := next + 1 + len(rest)/smallestFrame
		if len(rest) >= headSize {
			// A head of an index around those that count, somewhere.
			at := random.Intn(len(rest) - headSize + 1)
			binary.BigEndian.PutUint32(rest[at:], uint32(random.Intn(maxBody+2)))
			index := uint64(next - 1 + random.Intn(last-next+4))
			binary.BigEndian.PutUint32(rest[at+4:], headCRC(match, index, rest[at:at+4]))
		}
		want := false
		for at := 0; at+headSize <= len(rest); at++ {
			length := binary.BigEndian.Uint32(rest[at:])
			for j := next + 1; j <= last && length >= 1 && length <= maxBody; j++ {
				want = want || headCRC(match, uint64(j), rest[at:at+4]) == binary.BigEndian.Uint32(rest[at+4:])
			}
		}
		if want {
			found++
		}
		if got := findsLaterHead(rest, match, next); got != want {
			t.Fatalf("%d bytes after frame %d: %v, want %v", len(rest), next-1, got, want)
		}
	}
	if found < 100 || found > 290 {
		t.Errorf("%d heads found", found)
	}
}

func BenchmarkVerify(b *testing.B) {
	for _, ruleset := range []string{"azul", "azul-gray"} {
		data := write(plan{ruleset: ruleset, seats: 2, seed: 3, strikes: 2, shares: 2, clock: clocks[2]}).file()
		b.Run(ruleset, func(b *testing.B) {
			for range b.N {
				if Verify(data, Options{}).Verdict != OK {
					b.Fatal("it does not hold")
				}
			}
		})
	}
}
