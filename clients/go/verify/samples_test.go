package verify

import (
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
)

// setupSize returns how many bytes the set-up of a match has.
func setupSize(s *scribe) int {
	fields, _ := rawFields(s.frames[0][0])
	return len(fields[0].bytes)
}

// TestWriteSamples writes matches and damaged ones into the folder that
// AZT_SAMPLES names, for another verifier to judge. AZT_COUNT says how many of
// each kind, AZT_FIRST which is the first.
func TestWriteSamples(t *testing.T) {
	folder := os.Getenv("AZT_SAMPLES")
	if folder == "" {
		t.Skip("AZT_SAMPLES names no folder")
	}
	number := func(name string, usual int) int {
		if n, err := strconv.Atoi(os.Getenv(name)); err == nil {
			return n
		}
		return usual
	}
	first, count := number("AZT_FIRST", 0), number("AZT_COUNT", 100)
	all := plans(first + count + 1)
	for i := first; i < first+count; i++ {
		random := rand.New(rand.NewSource(int64(i)))
		s, donor := write(all[i]), write(all[i+1])
		data, other := s.file(), donor.file()
		files := map[string][]byte{
			"good":    data,
			"shuffle": shuffle(random, data, other),
		}
		for n := range 4 {
			files[fmt.Sprintf("damage%d", n)] = damage(random, s, donor).file()
		}
		for n := range 4 {
			spoiled := *s
			spoiled.frames = slices.Clone(s.frames)
			spoiled.frames[0] = [][]byte{rec(kindSetup, spoil(random, s.frames[0][0][len(s.frames[0][0])-setupSize(s):]))}
			files[fmt.Sprintf("setup%d", n)] = spoiled.file()
		}
		for kind, content := range files {
			name := filepath.Join(folder, fmt.Sprintf("%06d-%s.azt", i, kind))
			if err := os.WriteFile(name, content, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}
