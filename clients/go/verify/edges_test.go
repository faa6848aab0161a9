package verify

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// edit sets a number somewhere in a message: path has the fields that lead to
// it, each the first of its number.
func edit(data []byte, value uint64, path ...int) []byte {
	return alter(data, func([]byte) []byte { return enc(nil).varint(path[len(path)-1], value) }, path...)
}

// put sets bytes somewhere in a message.
func put(data, value []byte, path ...int) []byte {
	return alter(data, func([]byte) []byte { return enc(nil).bytes(path[len(path)-1], value) }, path...)
}

// drop leaves a field out.
func drop(data []byte, path ...int) []byte {
	return alter(data, func([]byte) []byte { return nil }, path...)
}

// alter replaces a field, or adds it where there is none.
func alter(data []byte, change func(raw []byte) []byte, path ...int) []byte {
	fields, _ := rawFields(data)
	for i, f := range fields {
		if int(f.id) != path[0] {
			continue
		}
		if len(path) > 1 {
			fields[i].raw = enc(nil).bytes(path[0], alter(f.bytes, change, path[1:]...))
		} else {
			fields[i].raw = change(f.raw)
		}
		return joinFields(fields)
	}
	return append(joinFields(fields), change(nil)...)
}

// insert puts a frame with some records before frame i.
func (s *scribe) insert(i int, records ...[]byte) {
	s.frames = slices.Insert(s.frames, i, records)
}

// edge is a small change of a match whose links and signature fit, or of a
// file, and what must become of it.
type edge struct {
	name          string
	change        func(s *scribe)          // of the records
	file          func(data []byte) []byte // of the file
	want          Verdict
	frame, record int // -1 for none
}

// In the match that the edges change, frame and record i are the same up to 8:
// 0 setup, 1 server_commit, 2 and 3 joined, 4 and 5 agent_commit, 6 started, 7
// a reveal, 8 the other one, after which the deal is record 9 and the first
// move is frame 9, record 10. The result is the record before the seed.
const (
	edgeReveal = 7
	edgeDeal   = 8
	edgeMove   = 9
	edgeLast   = 86  // the frame before the signature
	edgeSeed   = 100 // the last record in it
)

func edgeMatch() *scribe {
	return write(plan{
		ruleset: "azul", seats: 2, seed: 3, strikes: 2, shares: 2,
		clock: &clockRule{moveLimit: ns(5_000_000_000), bank: ns(900_000_000_000), increment: 5},
	})
}

// at changes record n of frame i.
func at(i, n int, change func([]byte) []byte) func(*scribe) {
	return func(s *scribe) { s.frames[i][n] = change(s.frames[i][n]) }
}

func setTo(value uint64, path ...int) func([]byte) []byte {
	return func(data []byte) []byte { return edit(data, value, path...) }
}

func setBytes(value []byte, path ...int) func([]byte) []byte {
	return func(data []byte) []byte { return put(data, value, path...) }
}

func leaveOut(path ...int) func([]byte) []byte {
	return func(data []byte) []byte { return drop(data, path...) }
}

func seatOnly(k kind, seat uint64) []byte { return rec(k, enc(nil).varint(1, seat).varint(2, 9)) }

var edges = slices.Concat(fileEdges, setupEdges, lobbyEdges, playEdges, endEdges)

func TestEdges(t *testing.T) {
	folder := os.Getenv("AZT_SAMPLES")
	for _, e := range edges {
		t.Run(e.name, func(t *testing.T) {
			s := edgeMatch()
			if e.change != nil {
				e.change(s)
			}
			data := s.file()
			if e.file != nil {
				data = e.file(data)
			}
			if folder != "" {
				name := strings.ReplaceAll(e.name, " ", "-") + ".azt"
				if err := os.WriteFile(filepath.Join(folder, name), data, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			got := Verify(data, Options{})
			frame, record := -1, -1
			if f := got.Failure; f != nil {
				frame, record = f.Frame, f.Record
			}
			if got.Verdict != e.want || frame != e.frame || record != e.record {
				t.Errorf("%v, want %s at %d, %d", got, e.want, e.frame, e.record)
			}
		})
	}
}

func flipBit(at int) func([]byte) []byte {
	return func(data []byte) []byte {
		out := bytes.Clone(data)
		out[at] ^= 1
		return out
	}
}

// inFrame changes a file, given where frame i begins and ends.
func inFrame(i int, change func(data []byte, from, to int) []byte) func([]byte) []byte {
	return func(data []byte) []byte {
		ends := frameEnds(data)
		if i < 0 {
			i += len(ends) - 1
		}
		return change(bytes.Clone(data), ends[i], ends[i+1])
	}
}

func join(parts ...[]byte) []byte { return bytes.Join(parts, nil) }

var fileEdges = []edge{
	{"whole", nil, nil, OK, -1, -1},
	{"empty", nil, func([]byte) []byte { return nil }, Torn, 0, -1},
	{"half a header", nil, func(d []byte) []byte { return d[:20] }, Torn, 0, -1},
	{"half another header", nil, func(d []byte) []byte { return flipBit(3)(d[:20]) }, Unreadable, -1, -1},
	{"only a header", nil, func(d []byte) []byte { return d[:28] }, Incomplete, -1, -1},
	{"another version", nil, flipBit(9), Unreadable, -1, -1},
	{"flags", nil, flipBit(11), Unreadable, -1, -1},
	{"a changed body", nil, inFrame(9, func(d []byte, from, _ int) []byte {
		return flipBit(from + headSize + 3)(d)
	}), Chain, 9, -1},
	{"a changed link", nil, inFrame(9, func(d []byte, _, to int) []byte { return flipBit(to - 1)(d) }), Chain, 9, -1},
	{"a changed length", nil, inFrame(9, func(d []byte, from, _ int) []byte { return flipBit(from + 3)(d) }), Corrupt, 9, -1},
	{"a changed CRC", nil, inFrame(9, func(d []byte, from, _ int) []byte { return flipBit(from + 5)(d) }), Corrupt, 9, -1},
	{"a changed body and a cut", nil, inFrame(9, func(d []byte, from, _ int) []byte {
		return flipBit(from + headSize + 3)(d[:len(d)-5])
	}), Corrupt, edgeLast + 1, -1},
	{"two changed bodies", nil, inFrame(9, func(d []byte, from, to int) []byte {
		return flipBit(to + headSize + 3)(flipBit(from + headSize + 3)(d))
	}), Chain, 9, -1},
	{"a changed body and a changed head", nil, inFrame(9, func(d []byte, from, to int) []byte {
		return flipBit(to + 5)(flipBit(from + headSize + 3)(d))
	}), Corrupt, 10, -1},
	{"a byte less in a body", nil, inFrame(9, func(d []byte, from, _ int) []byte {
		return join(d[:from+12], d[from+13:])
	}), Corrupt, 10, -1},
	{"a changed last body", nil, inFrame(-1, func(d []byte, from, _ int) []byte {
		return flipBit(from + headSize + 3)(d)
	}), Torn, edgeLast + 1, -1},
	{"a changed last body of an open match", func(s *scribe) { s.unsign = true },
		inFrame(-1, func(d []byte, from, _ int) []byte { return flipBit(from + headSize + 3)(d) }), Torn, edgeLast, -1},
	{"zeros in place of the last frame", nil, inFrame(-1, func(d []byte, from, to int) []byte {
		return join(d[:from], make([]byte, to-from))
	}), Torn, edgeLast + 1, -1},
	{"zeros after the last head", nil, inFrame(-1, func(d []byte, from, to int) []byte {
		return join(d[:from+headSize], make([]byte, to-from-headSize))
	}), Torn, edgeLast + 1, -1},
	{"a changed last body and junk", func(s *scribe) { s.unsign = true },
		inFrame(-1, func(d []byte, from, _ int) []byte { return append(flipBit(from+headSize+3)(d), 1, 2, 3) }), Torn, edgeLast, -1},
	{"junk after the signature", nil, func(d []byte) []byte { return append(d, 1, 2, 3) }, Corrupt, edgeLast + 2, -1},
	{"a good frame after the signature", nil, func(d []byte) []byte {
		var link [32]byte
		copy(link[:], d[len(d)-32:])
		n := len(frameEnds(d)) - 1
		out, _ := appendFrame(d, matchID(d[12:28]), n, link, enc(nil).bytes(1, seatOnly(kindDisconnect, 0)))
		return out
	}, Rules, edgeLast + 2, edgeSeed + 2},
	{"junk after an open match", func(s *scribe) { s.unsign = true }, func(d []byte) []byte { return append(d, 1, 2, 3) }, Torn, edgeLast + 1, -1},
	{"too much junk after an open match", func(s *scribe) { s.unsign = true }, func(d []byte) []byte {
		return append(d, make([]byte, maxFrame+1)...)
	}, Corrupt, edgeLast + 1, -1},
	{"just not too much junk", func(s *scribe) { s.unsign = true }, func(d []byte) []byte {
		return append(d, make([]byte, maxFrame)...)
	}, Torn, edgeLast + 1, -1},
	{"a frame deleted", nil, inFrame(9, func(d []byte, from, to int) []byte { return join(d[:from], d[to:]) }), Corrupt, 9, -1},
	{"a frame twice", nil, inFrame(9, func(d []byte, from, to int) []byte { return join(d[:to], d[from:]) }), Corrupt, 10, -1},
	{"a body that is no message", func(s *scribe) { s.frames[9] = [][]byte{{0xff}} }, nil, Corrupt, 9, -1},
	{"a last body that is no message", func(s *scribe) { s.unsign = true; s.frames[edgeLast] = [][]byte{{0xff}} }, nil, Corrupt, edgeLast, -1},
	{"records without number", func(s *scribe) { crowd(s, 24, 4096) }, nil, Rules, 9, 10},
	{"too many records", func(s *scribe) { crowd(s, 25, 4096) }, nil, Corrupt, 33, -1},
	{"too many records in a frame", func(s *scribe) { crowd(s, 1, 4097) }, nil, Corrupt, 9, -1},
}

// falsify changes a signature and mends the link of its frame.
func falsify(data []byte) []byte {
	ends := frameEnds(data)
	n := len(ends) - 2
	from, to := ends[n], ends[n+1]
	body := flipBit(to - from - headSize - linkSize - 1)(data[from+headSize : to-linkSize])
	out, _ := appendFrame(data[:from:from], matchID(data[12:28]), n, [32]byte(data[from-linkSize:from]), body)
	return out
}

// crowd puts frames of empty records in place of the moves.
func crowd(s *scribe, frames, records int) {
	s.frames = s.frames[:edgeMove]
	for range frames {
		s.frames = append(s.frames, make([][]byte, records))
	}
}

func init() {
	s, records := edgeMatch(), 0
	for _, frame := range s.frames {
		records += len(frame)
	}
	if len(s.frames) != edgeLast+1 || records != edgeSeed+1 {
		panic(fmt.Sprintf("the match of the edges has %d frames, %d records", len(s.frames), records))
	}
}
