// Package verify reads transcripts of matches and says whether they hold. It is
// written from docs/transcript.md and the pages that it names, and shares no
// code with the referee.
//
// All formats, chains, signatures and commitments are checked for every
// ruleset. Games of azul and azul-gray are played again from first to last.
package verify

import (
	"fmt"
	"strings"
)

// Options are what a caller may ask for beyond the file itself.
type Options struct {
	Key []byte // the public key that must have signed; nil for any
}

// MaxFile is the largest size of a transcript. A caller may stop reading one
// byte beyond it.
const MaxFile = maxFile

// Verify says whether the transcript in data holds.
func Verify(data []byte, options Options) Report {
	var report Report
	for level := range report.Levels {
		report.Levels[level] = StatusNotChecked
	}
	if len(data) > maxFile {
		return unreadable("at most 67108864 bytes", "more")
	}
	f, ok := readFile(data)
	if !ok {
		return unreadable("a transcript of version 1", "another kind of file")
	}
	if len(data) >= headerSize {
		id := [16]byte(f.match)
		report.MatchID = &id
	}
	v := &verifier{file: f, options: options, report: &report}
	v.run()
	return report
}

// verifier collects what each level comes to.
type verifier struct {
	file     *file
	options  Options
	report   *Report
	failures [levelCount]*Failure
}

func (v *verifier) run() {
	levels := &v.report.Levels
	levels[LevelFrames], levels[LevelChain] = StatusOK, StatusOK
	for _, failure := range v.file.broken {
		v.fail(failure)
	}
	setup, err := v.setup()
	v.signature(setup)
	if len(v.file.frames) > 0 {
		v.replay(setup, err)
	}
	v.conclude()
}

// setup reads the set-up, if there is one that can be played.
func (v *verifier) setup() (*setup, error) {
	if len(v.file.frames) == 0 {
		return nil, nil
	}
	first := v.file.frames[0].records[0]
	if first.kind != kindSetup {
		return nil, fmt.Errorf("a %v record", first.kind)
	}
	s, err := readSetup(first.setup)
	if err != nil {
		return nil, err
	}
	if err := s.check(); err != nil {
		return nil, err
	}
	return s, nil
}

// fail keeps the first failure of a level.
func (v *verifier) fail(f Failure) {
	if v.failures[f.Level] == nil {
		f.Expected, f.Found = shorten(f.Expected), shorten(f.Found)
		v.failures[f.Level] = &f
		v.report.Levels[f.Level] = StatusFailed
	}
}

// conclude finds the verdict: the first level that fails, or else that the file
// has no end yet.
func (v *verifier) conclude() {
	verdicts := [levelCount]Verdict{Corrupt, Chain, Signature, Rules, Result, Draws, Clocks}
	if v.file.tail == tailTorn {
		verdicts[LevelFrames] = Torn
	}
	for level, failure := range v.failures {
		if failure != nil {
			v.report.Verdict, v.report.Failure = verdicts[level], failure
			break
		}
	}
	if v.report.Failure == nil {
		v.report.Verdict = OK
		if v.report.Levels[LevelSignature] == StatusIncomplete {
			v.report.Verdict = Incomplete
		}
	}
	if v.failures[LevelRules] != nil || v.failures[LevelDraws] != nil {
		v.report.Fairness = ""
	}
}

const maxShown = 1000

// shorten keeps what a stranger wrote from filling a report.
func shorten(text string) string {
	if len(text) <= maxShown {
		return text
	}
	return strings.ToValidUTF8(text[:maxShown], "") + "…"
}
