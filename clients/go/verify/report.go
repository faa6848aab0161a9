package verify

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
)

// Level is one of the things that a verifier looks at, in their order.
type Level int

const (
	LevelFrames Level = iota
	LevelChain
	LevelSignature
	LevelRules
	LevelResult
	LevelDraws
	LevelClocks
	levelCount
)

var levelNames = [levelCount]string{
	"frames", "chain", "signature", "rules", "result", "draws", "clocks",
}

// Status says what came of a level.
type Status string

const (
	StatusOK         Status = "ok"
	StatusFailed     Status = "failed"
	StatusIncomplete Status = "incomplete"  // holds as far as the file goes, which has no end yet
	StatusPartial    Status = "partial"     // what was looked at holds, but not all was
	StatusNotChecked Status = "not checked" // a failure before it left nothing to look at
)

// Verdict is what a file comes to: its first level that fails.
type Verdict string

const (
	OK         Verdict = "OK"
	Incomplete Verdict = "INCOMPLETE"
	Torn       Verdict = "TORN"
	Corrupt    Verdict = "CORRUPT"
	Chain      Verdict = "CHAIN"
	Signature  Verdict = "SIGNATURE"
	Rules      Verdict = "RULES"
	Result     Verdict = "RESULT"
	Draws      Verdict = "DRAWS"
	Clocks     Verdict = "CLOCKS"
	Unreadable Verdict = "UNREADABLE"
)

// severity lists the verdicts from the worst on, with their exit codes.
var severity = []struct {
	verdict Verdict
	code    int
}{
	{Unreadable, 3}, {Corrupt, 10}, {Torn, 11}, {Chain, 12}, {Signature, 13}, {Rules, 14},
	{Result, 15}, {Draws, 16}, {Clocks, 17}, {Incomplete, 18}, {OK, 0},
}

// ExitCode returns the code of the worst of some verdicts, 0 for none.
func ExitCode(verdicts []Verdict) int {
	for _, s := range severity {
		for _, v := range verdicts {
			if v == s.verdict {
				return s.code
			}
		}
	}
	return 0
}

// Failure is the first thing that is wrong at one level.
type Failure struct {
	Level           Level
	Frame, Record   int // -1 where there is none to name
	Expected, Found string
}

// Report is what verifying one file came to.
type Report struct {
	MatchID  *[16]byte // nil if the header is not whole
	Verdict  Verdict
	Levels   [levelCount]Status
	Failure  *Failure // the one that the verdict names
	Fairness string   // F0, F1, F2, fixed, or nothing
}

// MarshalJSON writes the report without its path.
func (r Report) MarshalJSON() ([]byte, error) {
	return json.Marshal(r.fields(nil))
}

// WithPath returns the report as one line of JSON that begins with a path.
func (r Report) WithPath(path string) ([]byte, error) {
	return json.Marshal(r.fields(&path))
}

type reportFields struct {
	Path     *string           `json:"path,omitempty"`
	MatchID  *string           `json:"match_id"`
	Verdict  Verdict           `json:"verdict"`
	Frame    *int              `json:"frame"`
	Record   *int              `json:"record"`
	Levels   map[string]Status `json:"levels"`
	Expected *string           `json:"expected"`
	Found    *string           `json:"found"`
	Fairness *string           `json:"fairness"`
}

func (r Report) fields(path *string) reportFields {
	out := reportFields{Path: path, Verdict: r.Verdict, Levels: make(map[string]Status)}
	for level, status := range r.Levels {
		out.Levels[levelNames[level]] = status
	}
	if r.MatchID != nil {
		id := hex.EncodeToString(r.MatchID[:])
		out.MatchID = &id
	}
	if r.Fairness != "" {
		out.Fairness = &r.Fairness
	}
	if f := r.Failure; f != nil {
		out.Expected, out.Found = &f.Expected, &f.Found
		if f.Frame >= 0 {
			out.Frame = &f.Frame
		}
		if f.Record >= 0 {
			out.Record = &f.Record
		}
	}
	return out
}

// String says what a report comes to, on one line.
func (r Report) String() string {
	out := string(r.Verdict)
	if r.Fairness != "" {
		out += ", draws " + r.Fairness
	}
	f := r.Failure
	if f == nil {
		for level, status := range r.Levels {
			if status != StatusOK && status != StatusIncomplete {
				out += fmt.Sprintf(", %s %s", levelNames[level], status)
			}
		}
		return out
	}
	if f.Frame >= 0 {
		out += fmt.Sprintf(" at frame %d", f.Frame)
	}
	if f.Record >= 0 {
		out += fmt.Sprintf(", record %d", f.Record)
	}
	return out + fmt.Sprintf(": expected %s, found %s", f.Expected, f.Found)
}

// CannotRead is the report of a file that could not be opened or read.
func CannotRead(err error) Report {
	return unreadable("a file to read", err.Error())
}

func unreadable(expected, found string) Report {
	report := Report{
		Verdict: Unreadable,
		Failure: &Failure{Frame: -1, Record: -1, Expected: expected, Found: found},
	}
	for level := range report.Levels {
		report.Levels[level] = StatusNotChecked
	}
	return report
}
