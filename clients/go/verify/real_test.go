package verify

import (
	"crypto/ed25519"
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"testing"

	"azulreferee/draws"
)

const goldenFiles = "../../../tests/golden/transcripts"

// TestGoldenFiles verifies the published files, which the referee wrote.
func TestGoldenFiles(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(goldenFiles, "*.azt"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no golden files: %v", err)
	}
	special := map[string]Verdict{"open.azt": Incomplete, "secret-lost.azt": Draws}
	for _, path := range files {
		t.Run(filepath.Base(path), func(t *testing.T) {
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			want, ok := special[filepath.Base(path)]
			if !ok {
				want = OK
			}
			if got := Verify(data, Options{}); got.Verdict != want {
				t.Errorf("%v, want %s", got, want)
			}
		})
	}
}

// adopt takes over a file of somebody else, so that a test can change it and
// sign it anew. Only with a fixed seed this leaves the draws as they were: the
// key in the set-up is another one, and with it the commitment.
func adopt(data []byte) (*scribe, bool) {
	f, ok := readFile(data)
	if !ok || f.broken != nil || f.signature() < 2 {
		return nil, false
	}
	s := &scribe{match: f.match, key: ed25519.NewKeyFromSeed(make([]byte, 32))}
	ends := frameEnds(data)
	for i := range f.signature() {
		fields, _ := rawFields(data[ends[i]+headSize : ends[i+1]-linkSize])
		var records [][]byte
		for _, field := range fields {
			records = append(records, field.bytes)
		}
		s.frames = append(s.frames, records)
	}
	set, err := readSetup(f.frames[0].records[0].setup)
	if err != nil || !set.fixedSeed {
		return nil, false
	}
	rekeyed := put(set.bytes, s.public(), 15)
	last := f.frames[f.signature()-1].records
	seed, ok := last[len(last)-1].body.(*secretRecord)
	if !ok || len(seed.value) != 32 {
		return nil, false
	}
	commit := draws.ServerCommit([16]byte(f.match), draws.SetupHash(rekeyed), [32]byte(seed.value))
	s.frames[0][0] = rec(kindSetup, rekeyed)
	s.frames[1][0] = rec(kindServerCommit, enc(nil).bytes(1, commit[:]))
	return s, true
}

// TestWriteRealSamples damages the files in the folder AZT_REAL for another
// verifier to judge, as TestWriteSamples does with matches of its own.
func TestWriteRealSamples(t *testing.T) {
	folder, real := os.Getenv("AZT_SAMPLES"), os.Getenv("AZT_REAL")
	if folder == "" || real == "" {
		t.Skip("AZT_SAMPLES and AZT_REAL name no folders")
	}
	files, _ := filepath.Glob(filepath.Join(real, "*.azt"))
	var donor *scribe
	for i, path := range files {
		random := rand.New(rand.NewSource(int64(i)))
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		other, err := os.ReadFile(files[(i+1)%len(files)])
		if err != nil {
			t.Fatal(err)
		}
		samples := map[string][]byte{"good": data}
		for n := range 4 {
			samples[fmt.Sprintf("shuffle%d", n)] = shuffle(random, data, other)
		}
		if s, ok := adopt(data); ok {
			if donor == nil {
				donor = s
			}
			samples["adopted"] = s.file()
			for n := range 12 {
				samples[fmt.Sprintf("damage%d", n)] = damage(random, s, donor).file()
			}
			donor = s
		}
		for kind, content := range samples {
			name := filepath.Join(folder, fmt.Sprintf("real%04d-%s.azt", i, kind))
			if err := os.WriteFile(name, content, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}
