package verify

import (
	"bytes"
	"encoding/binary"
	"math/rand"
	"testing"
)

// rawField is a field of any message with the bytes that it is written with.
type rawField struct {
	field
	raw []byte
}

// rawFields splits any message, and reports false if data is none.
func rawFields(data []byte) ([]rawField, bool) {
	var out []rawField
	for len(data) > 0 {
		f, rest, err := nextField(data, 0)
		if err != nil {
			return nil, false
		}
		out = append(out, rawField{f, data[:len(data)-len(rest)]})
		data = rest
	}
	return out, true
}

func joinFields(fields []rawField) []byte {
	var out []byte
	for _, f := range fields {
		out = append(out, f.raw...)
	}
	return out
}

// spoil changes one field somewhere in a message.
func spoil(random *rand.Rand, data []byte) []byte {
	fields, ok := rawFields(data)
	if !ok || len(fields) == 0 {
		return spoilBytes(random, data)
	}
	i := random.Intn(len(fields))
	f := fields[i]
	switch kind := random.Intn(12); {
	case kind == 0:
		fields = append(fields[:i:i], fields[i+1:]...)
	case kind == 1:
		fields = append(fields[:i+1:i+1], fields[i:]...)
	case kind == 2:
		unknown := enc(nil).varint(100+random.Intn(50), random.Uint64())
		fields = append(fields, rawField{raw: unknown})
	case f.wire == wireVarint:
		fields[i].raw = enc(nil).varint(int(f.id), spoilNumber(random, f.number))
	case f.wire == wireBytes:
		inner := f.bytes
		if _, ok := rawFields(inner); ok && len(inner) > 0 && random.Intn(8) > 0 {
			inner = spoil(random, inner)
		} else {
			inner = spoilBytes(random, inner)
		}
		fields[i].raw = enc(nil).bytes(int(f.id), inner)
	default:
		raw := bytes.Clone(f.raw)
		raw[len(raw)-1-random.Intn(4)] ^= 1 << random.Intn(8)
		fields[i].raw = raw
	}
	return joinFields(fields)
}

func spoilNumber(random *rand.Rand, n uint64) uint64 {
	switch random.Intn(6) {
	case 0:
		return n + 1
	case 1:
		return n - 1
	case 2:
		return 0
	case 3:
		return uint64(random.Intn(12))
	case 4:
		return random.Uint64() >> random.Intn(64)
	}
	return n ^ 1<<random.Intn(34)
}

func spoilBytes(random *rand.Rand, data []byte) []byte {
	out := bytes.Clone(data)
	switch kind := random.Intn(5); {
	case kind == 0 || len(out) == 0:
		return append(out, byte(random.Intn(256)))
	case kind == 1:
		return out[:random.Intn(len(out))]
	}
	out[random.Intn(len(out))] ^= 1 << random.Intn(8)
	return out
}

// damage changes the records of a match so that all links and the signature
// still fit. donor gives records of another match.
func damage(random *rand.Rand, s, donor *scribe) *scribe {
	out := *s
	out.frames = nil
	for _, frame := range s.frames {
		out.frames = append(out.frames, append([][]byte(nil), frame...))
	}
	i := random.Intn(len(out.frames))
	if random.Intn(4) == 0 {
		i = random.Intn(min(len(out.frames), 8))
	}
	if random.Intn(6) == 0 {
		i = len(out.frames) - 1
	}
	frame := out.frames[i]
	n := random.Intn(len(frame))
	switch random.Intn(16) {
	case 0:
		out.frames[i] = append(frame[:n:n], frame[n+1:]...)
	case 1:
		out.frames[i] = append(frame[:n+1:n+1], frame[n:]...)
	case 2:
		j := random.Intn(len(out.frames))
		out.frames[i][n], out.frames[j][0] = out.frames[j][0], out.frames[i][n]
	case 3:
		out.frames = append(out.frames[:i:i], append([][][]byte{frame[:n], frame[n:]}, out.frames[i+1:]...)...)
	case 4:
		if i+1 < len(out.frames) {
			merged := append(frame[:len(frame):len(frame)], out.frames[i+1]...)
			out.frames = append(out.frames[:i:i], append([][][]byte{merged}, out.frames[i+2:]...)...)
		}
	case 5:
		out.frames = append(out.frames[:i:i], out.frames[i+1:]...)
	case 6:
		other := donor.frames[random.Intn(len(donor.frames))]
		out.frames[i][n] = other[random.Intn(len(other))]
	case 7:
		other := donor.frames[random.Intn(len(donor.frames))]
		rest := append([][]byte{other[random.Intn(len(other))]}, frame[n:]...)
		out.frames[i] = append(frame[:n:n], rest...)
	case 8:
		other := donor.frames[random.Intn(len(donor.frames))]
		out.frames = append(out.frames[:i:i], append([][][]byte{other}, out.frames[i:]...)...)
	case 9:
		out.frames = out.frames[:i]
		out.unsign = random.Intn(2) == 0
	default:
		out.frames[i][n] = spoil(random, frame[n])
	}
	return &out
}

// frameEnds returns where each frame of a whole file begins, and its end.
func frameEnds(data []byte) []int {
	out := []int{headerSize}
	for at := headerSize; at+headSize <= len(data); {
		at += headSize + int(binary.BigEndian.Uint32(data[at:])) + linkSize
		out = append(out, at)
	}
	return out
}

// shuffle damages a file without mending its links: bits, cuts, and frames that
// are deleted, doubled, swapped or taken from another file.
func shuffle(random *rand.Rand, data, donor []byte) []byte {
	ends := frameEnds(data)
	i := random.Intn(len(ends) - 1)
	from, to := ends[i], ends[i+1]
	join := func(parts ...[]byte) []byte { return bytes.Join(parts, nil) }
	switch random.Intn(10) {
	case 0:
		return data[:random.Intn(len(data))]
	case 1:
		return join(data[:from], data[to:])
	case 2:
		return join(data[:to], data[from:])
	case 3:
		if i+2 < len(ends) {
			return join(data[:from], data[to:ends[i+2]], data[from:to], data[ends[i+2]:])
		}
	case 4:
		others := frameEnds(donor)
		j := min(i, len(others)-2)
		return join(data[:from], donor[others[j]:others[j+1]], data[to:])
	case 5:
		junk := make([]byte, 1+random.Intn(90))
		random.Read(junk)
		return join(data[:from], junk, data[from:])
	case 6:
		at := random.Intn(len(data))
		return join(data[:at], data[min(len(data), at+1+random.Intn(60)):])
	case 7:
		tailed := data[:from+random.Intn(to-from)]
		return join(tailed, make([]byte, random.Intn(50)))
	}
	out := bytes.Clone(data)
	for range 1 + random.Intn(2) {
		out[random.Intn(len(out))] ^= 1 << random.Intn(8)
	}
	return out
}

// short is a whole match in a small file.
func short() []byte {
	return write(plan{ruleset: "azul", seats: 2, seed: 5, strikes: 3, cap: 1, shares: 1}).file()
}

func TestEveryCut(t *testing.T) {
	data := short()
	ends := map[int]bool{}
	for _, at := range frameEnds(data) {
		ends[at] = true
	}
	for at := range data {
		want := Torn
		if ends[at] {
			want = Incomplete
		}
		if got := Verify(data[:at], Options{}); got.Verdict != want {
			t.Fatalf("cut at %d of %d: %v, want %s", at, len(data), got, want)
		}
	}
}

func TestEveryFlip(t *testing.T) {
	data := short()
	if got := Verify(data, Options{}); got.Verdict != OK {
		t.Fatal(got)
	}
	ends := frameEnds(data)
	last := ends[len(ends)-2]
	for at := range data {
		for bit := range 8 {
			data[at] ^= 1 << bit
			got := Verify(data, Options{})
			data[at] ^= 1 << bit
			var wants []Verdict
			switch {
			case at < len(preface):
				wants = []Verdict{Unreadable}
			case at < headerSize:
				wants = []Verdict{Corrupt, Torn} // another match, to which no head belongs
			case at >= last:
				wants = []Verdict{Torn}
			default:
				wants = []Verdict{Corrupt, Chain}
			}
			if got.Verdict != wants[0] && (len(wants) < 2 || got.Verdict != wants[1]) {
				t.Fatalf("bit %d of byte %d: %v, want one of %v", bit, at, got, wants)
			}
		}
	}
}

func TestDamageIsSurvived(t *testing.T) {
	random := rand.New(rand.NewSource(1))
	all := plans(120)
	verdicts := map[Verdict]int{}
	for i, p := range all {
		s, donor := write(p), write(all[(i+7)%len(all)])
		data, other := s.file(), donor.file()
		for range 40 {
			verdicts[Verify(damage(random, s, donor).file(), Options{}).Verdict]++
			got := Verify(shuffle(random, data, other), Options{}).Verdict
			if got == OK {
				t.Fatalf("%+v: damage that is not seen", p)
			}
			verdicts[got]++
		}
	}
	for _, s := range severity {
		if verdicts[s.verdict] == 0 {
			t.Errorf("no damage gives %s", s.verdict)
		}
	}
	t.Log(verdicts)
}
