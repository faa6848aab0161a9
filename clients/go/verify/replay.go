package verify

import (
	"fmt"

	"azulreferee/draws"
)

// stage is how far a match has come.
type stage int

const (
	stageSetup  stage = iota // nothing yet
	stageCommit              // the referee has to commit
	stageLobby               // seats are taken
	stagePlay                // the match is on
	stageEnded               // a result, or none; the seed is to be opened
	stageSealed              // the seed is open; only a signature may follow
	stageSigned
)

// fault is what is wrong with a record by the level rules.
type fault struct{ expected, found string }

func faultf(expected, format string, values ...any) *fault {
	return &fault{expected, fmt.Sprintf(format, values...)}
}

// seatState is what a match knows of one seat.
type seatState struct {
	joined    bool
	committed bool      // it said what its share is, or that it has none
	shown     *[32]byte // the last value of its chain; nil without a share
	revealed  bool      // it opened its share for the round to come
	strikes   uint32

	out    bool
	reason uint32 // why it is out, an EndReason
	group  int    // seats that went out at once have the same one
}

// replay plays a match again, record by record.
type replay struct {
	v     *verifier
	setup *setup
	table *table
	clock *clock

	frame, record int  // the place of what is looked at
	leads         bool // it is the first record of its frame
	stage         stage
	seats         []*seatState
	commit        [32]byte    // the commitment of the referee
	commits       []*[32]byte // x_0 of each seat, nil where there is none
	epoch         uint32

	moves    uint32 // made so far
	attempts uint32 // refused answers of this turn

	owed     *owedOut       // the seat that has to go out next
	noShows  bool           // seats that did not come are being put out
	lastOut  *seatOutRecord // the record before this one in the same frame, if it was one
	groups   int            // how often seats went out
	unscored bool           // a round ended and is to be scored
	voided   bool
	dealt    []dealtRound
}

// owedOut is a seat that must go out directly, and why.
type owedOut struct {
	seat   int
	reason uint32
}

// replay runs the levels from rules on.
func (v *verifier) replay(s *setup, err error) {
	if err != nil {
		v.fail(Failure{Level: LevelRules, Expected: "a set-up that can be played", Found: err.Error()})
		return
	}
	if s.ruleset != "azul" && s.ruleset != "azul-gray" {
		v.glance(s)
		return
	}
	r := &replay{v: v, setup: s, table: newTable(s), clock: newClock(s), epoch: 1}
	for range s.seats {
		r.seats = append(r.seats, &seatState{})
	}
	if r.run() {
		v.settle()
	}
}

// run goes through all records and reports whether the level rules holds.
func (r *replay) run() bool {
	for i, frame := range r.v.file.frames {
		r.frame, r.lastOut = i, nil
		for n, rec := range frame.records {
			r.leads = n == 0
			if f := r.step(rec); f != nil {
				r.refuse(f)
				return false
			}
			r.record++
		}
		if due := r.due(); due != kindNone {
			r.refuse(faultf(fmt.Sprintf("a %v record", due), "the end of the frame"))
			return false
		}
	}
	return true
}

func (r *replay) refuse(f *fault) {
	r.fail(LevelRules, f)
}

// fail reports what is wrong with the record that is looked at.
func (r *replay) fail(level Level, f *fault) {
	r.v.fail(Failure{
		Level: level, Frame: r.frame, Record: r.record, Expected: f.expected, Found: f.found,
	})
}

// step takes in one record.
func (r *replay) step(rec *record) *fault {
	if due := r.due(); due != kindNone && due != rec.kind && !r.insteadOf(due, rec) {
		return faultf(fmt.Sprintf("a %v record", due), "a %v record", rec.kind)
	}
	before := r.lastOut
	r.lastOut = nil
	switch r.stage {
	case stageSetup:
		if rec.kind == kindSetup {
			r.stage = stageCommit
			return nil
		}
	case stageCommit:
		if rec.kind == kindServerCommit && r.frame == 1 && r.leads {
			return r.serverCommit(rec.body.(*secretRecord))
		}
		return faultf("a server_commit record, first in frame 1", "a %v record", rec.kind)
	case stageLobby:
		if handled, f := r.stepLobby(rec, before); handled {
			return f
		}
	case stagePlay:
		if handled, f := r.stepPlay(rec, before); handled {
			return f
		}
	case stageEnded:
		switch rec.kind {
		case kindSeedReveal:
			return r.seedReveal(rec.body.(*secretRecord))
		case kindSecretLost:
			r.stage = stageSealed
			r.fail(LevelDraws, faultf("a seed", "none, and nothing can prove the draws"))
			return nil
		}
	case stageSealed:
		if rec.kind == kindSignature && r.leads {
			r.stage = stageSigned
			return nil
		}
	}
	if r.stage == stageLobby || r.stage == stagePlay {
		if handled, f := r.stepAnytime(rec); handled {
			return f
		}
	}
	return faultf("a record that may stand here", "a %v record", rec.kind)
}

// due returns the record that must follow directly, if one must.
func (r *replay) due() kind {
	switch {
	case r.stage == stageEnded:
		return kindSeedReveal
	case r.stage != stageLobby && r.stage != stagePlay:
		return kindNone
	case r.owed != nil || r.noShows && r.anyMissing():
		return kindSeatOut
	case r.unscored:
		return kindRoundScored
	case r.live() < 2 || r.table.turn == isOver:
		return kindGameOver
	case r.stage == stageLobby:
		return kindNone
	case r.table.turn == dealDue && !r.awaitsReveal():
		return kindDeal
	case r.table.turn >= 0 && r.seats[r.table.turn].out:
		return kindMove
	}
	return kindNone
}

// insteadOf tells whether a record may stand although another one is due.
func (r *replay) insteadOf(due kind, rec *record) bool {
	switch {
	case due == kindSeedReveal:
		return r.voided && rec.kind == kindSecretLost
	case due == kindGameOver && rec.kind == kindSeatOut:
		out := rec.body.(*seatOutRecord)
		return r.live() == 1 && r.lastOut != nil && atOnce(r.lastOut, out)
	}
	return false
}

// stepAnytime takes in what may stand at any time before the end.
func (r *replay) stepAnytime(rec *record) (handled bool, f *fault) {
	switch rec.kind {
	case kindDisconnect, kindReconnect:
		_, f := r.seat(rec.body.(*seatRecord).seat)
		return true, f
	case kindRestart:
		epoch := rec.body.(*restartRecord).epoch
		if epoch <= r.epoch {
			return true, faultf(fmt.Sprintf("an epoch after %d", r.epoch), "epoch %d", epoch)
		}
		r.epoch = epoch
		r.clock.restart()
		return true, nil
	case kindVoided, kindAborted:
		if n := len(rec.body.(*stopRecord).detail); n > maxDetail {
			return true, faultf("at most 1024 bytes of detail", "%d", n)
		}
		r.stage, r.voided = stageEnded, rec.kind == kindVoided
		r.v.report.Levels[LevelResult] = StatusOK // there is none, and none is claimed
		return true, nil
	case kindGameOver:
		if r.due() == kindGameOver {
			r.gameOver(rec.body.(*gameOverRecord))
			return true, nil
		}
	}
	return false, nil
}

const maxDetail = 1024

// serverCommit binds the referee.
func (r *replay) serverCommit(m *secretRecord) *fault {
	if len(m.value) != 32 {
		return faultf("32 bytes", "%d", len(m.value))
	}
	r.commit = [32]byte(m.value)
	r.stage = stageLobby
	return nil
}

// seat returns the seat that a record names.
func (r *replay) seat(named *uint32) (int, *fault) {
	if named == nil {
		return 0, faultf("a seat", "none")
	}
	if *named >= uint32(len(r.seats)) {
		return 0, faultf(fmt.Sprintf("a seat below %d", len(r.seats)), "seat %d", *named)
	}
	return int(*named), nil
}

// live counts the seats that are not out.
func (r *replay) live() int {
	n := 0
	for _, s := range r.seats {
		if !s.out {
			n++
		}
	}
	return n
}

// awaitsReveal tells whether a live seat has still to open its share.
func (r *replay) awaitsReveal() bool {
	for _, s := range r.seats {
		if s.owesReveal() {
			return true
		}
	}
	return false
}

func (s *seatState) owesReveal() bool {
	return !s.out && s.shown != nil && !s.revealed
}

// opens tells whether x is the value before which the last one of a seat stood.
func (r *replay) opens(seat int, round uint32, x [32]byte) bool {
	y := draws.ChainStep([16]byte(r.v.file.match), uint8(seat), r.commit, round, x)
	return y == *r.seats[seat].shown
}
