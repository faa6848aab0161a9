package verify

import "testing"

// FuzzVerify looks for input that makes the verifier panic or never end. Half
// of the work goes to input whose links fit, for random bytes never get so far.
func FuzzVerify(f *testing.F) {
	for _, p := range plans(24) {
		f.Add(write(p).file(), true)
	}
	f.Add(short(), false)
	f.Fuzz(func(t *testing.T, data []byte, relink bool) {
		if relink {
			data = relinked(data)
		}
		Verify(data, Options{})
	})
}

// relinked returns the bodies that data seems to have, in frames that fit.
func relinked(data []byte) []byte {
	if len(data) < headerSize {
		return data
	}
	ends := frameEnds(data)
	s := &scribe{match: matchID(data[len(preface):headerSize]), unsign: true}
	var bodies [][]byte
	for i := range len(ends) - 1 {
		from, to := ends[i]+headSize, ends[i+1]-linkSize
		if to > len(data) || to <= from {
			break
		}
		bodies = append(bodies, data[from:to])
	}
	return s.bind(bodies)
}
