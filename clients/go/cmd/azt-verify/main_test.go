package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const golden = "../../../../tests/golden/transcripts"

func TestRun(t *testing.T) {
	folder := t.TempDir()
	whole, err := os.ReadFile(filepath.Join(golden, "azul-2.azt"))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{
		"b/whole.azt":    whole,
		"b/notes.txt":    []byte("not looked at"),
		"a/torn.azt":     whole[:len(whole)-3],
		"a/c/broken.azt": append(bytes.Clone(whole), 1),
		"other.azt":      []byte("something else"),
	}
	for name, data := range files {
		path := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	in := func(name string) string { return filepath.Join(folder, name) }
	key := strings.Repeat("ab", 32)
	cases := []struct {
		name     string
		args     []string
		code     int
		verdicts string
	}{
		{"one file", []string{in("b/whole.azt")}, 0, "OK"},
		{"a folder", []string{in("b")}, 0, "OK"},
		{"folders in order", []string{in("a"), in("b")}, 10, "CORRUPT TORN OK"},
		{"the worst counts", []string{folder}, 3, "CORRUPT TORN OK UNREADABLE"},
		{"a missing file", []string{in("none.azt")}, 3, "UNREADABLE"},
		{"another key", []string{"--key", key, in("b/whole.azt")}, 13, "SIGNATURE"},
		{"a bad key", []string{"--key", "ab", in("b/whole.azt")}, 2, ""},
		{"nothing to do", nil, 2, ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			var out, errors bytes.Buffer
			if code := run(append([]string{"--json"}, c.args...), &out, &errors); code != c.code {
				t.Errorf("exit code %d, want %d: %s", code, c.code, errors.String())
			}
			var verdicts []string
			for _, line := range strings.Split(strings.TrimSpace(out.String()), "\n") {
				if line == "" {
					continue
				}
				var report struct {
					Path, Verdict string
					Levels        map[string]string
				}
				if err := json.Unmarshal([]byte(line), &report); err != nil || len(report.Levels) != 7 || report.Path == "" {
					t.Fatalf("%s: %v", line, err)
				}
				verdicts = append(verdicts, report.Verdict)
			}
			if got := strings.Join(verdicts, " "); got != c.verdicts {
				t.Errorf("verdicts %s, want %s", got, c.verdicts)
			}
		})
	}
}

func TestWords(t *testing.T) {
	var out, errors bytes.Buffer
	path := filepath.Join(golden, "open.azt")
	if code := run([]string{path}, &out, &errors); code != 18 || out.String() != path+": INCOMPLETE\n" {
		t.Errorf("exit code %d: %s%s", code, out.String(), errors.String())
	}
}
