package verify

import (
	"bytes"
	"fmt"
)

const maxAction = 65536

// stepPlay takes in what belongs between the start and the end.
func (r *replay) stepPlay(rec *record, before *seatOutRecord) (handled bool, f *fault) {
	switch rec.kind {
	case kindReveal:
		return true, r.reveal(rec.body.(*revealRecord))
	case kindDeal:
		return true, r.deal(rec.body.(*dealRecord))
	case kindMove:
		return true, r.move(rec.body.(*answerRecord))
	case kindRejected:
		return true, r.rejected(rec.body.(*answerRecord))
	case kindResign:
		return true, r.resign(rec.body.(*seatRecord))
	case kindSeatOut:
		return true, r.seatOut(rec.body.(*seatOutRecord), before)
	case kindRoundScored:
		return true, r.roundScored(rec.body.(*roundScoredRecord))
	}
	return false, nil
}

// reveal opens the share of a seat for the round to come.
func (r *replay) reveal(m *revealRecord) *fault {
	if r.table.turn != dealDue {
		return faultf("a record of a turn", "a reveal record")
	}
	seat, f := r.seat(m.seat)
	round := uint32(r.table.round + 1)
	switch {
	case f != nil:
		return f
	case !r.seats[seat].owesReveal():
		return faultf("a seat whose reveal is missing", "seat %d", seat)
	case m.round != round:
		return faultf(fmt.Sprintf("round %d", round), "round %d", m.round)
	case len(m.x) != 32:
		return faultf("32 bytes", "%d", len(m.x))
	case m.timing == nil:
		return faultf("times", "none")
	}
	r.time(r.clock.answer(seat, m.timing, false, r.table.round+1))
	x := [32]byte(m.x)
	if !r.opens(seat, round, x) {
		r.owed = &owedOut{seat, endEntropy}
		return nil
	}
	r.seats[seat].shown, r.seats[seat].revealed = &x, true
	return nil
}

// deal lays out a round.
func (r *replay) deal(m *dealRecord) *fault {
	round := uint32(r.table.round + 1)
	switch {
	case r.table.turn != dealDue || r.awaitsReveal():
		return faultf("no deal", "a deal record")
	case m.round != round:
		return faultf(fmt.Sprintf("round %d", round), "round %d", m.round)
	case m.kind != dealAzul:
		return faultf("a deal of Azul", "another one")
	}
	d := dealtRound{
		frame: r.frame, record: r.record, deal: &m.azul, bag: r.table.bag, lid: r.table.lid,
		shares: make([]*[32]byte, len(r.seats)),
	}
	for i, s := range r.seats {
		if s.revealed && !s.out {
			d.shares[i] = s.shown
		}
		s.revealed = false
	}
	if err := r.table.deal(&m.azul); err != nil {
		return faultf("a deal that bag and lid can give", "%s", err)
	}
	r.dealt = append(r.dealt, d)
	return nil
}

// onTurn checks that an answer is one to this turn, by the seat in turn.
func (r *replay) onTurn(m *answerRecord, attempt uint32) *fault {
	if r.table.turn < 0 {
		return faultf("a deal first", "an answer")
	}
	seat, f := r.seat(m.seat)
	switch {
	case f != nil:
		return f
	case seat != r.table.turn:
		return faultf(fmt.Sprintf("seat %d", r.table.turn), "seat %d", seat)
	case m.turn != r.moves+1:
		return faultf(fmt.Sprintf("turn %d", r.moves+1), "turn %d", m.turn)
	case m.attempt != attempt:
		return faultf(fmt.Sprintf("attempt %d", attempt), "attempt %d", m.attempt)
	case len(m.action) > maxAction:
		return faultf("at most 65536 bytes", "%d", len(m.action))
	}
	return nil
}

// move makes a move, by its seat or by the referee.
func (r *replay) move(m *answerRecord) *fault {
	byReferee := r.table.turn >= 0 && r.seats[r.table.turn].out
	attempt := r.attempts + 1
	if byReferee {
		attempt = 0
	}
	if f := r.onTurn(m, attempt); f != nil {
		return f
	}
	var meant move
	switch {
	case byReferee && (len(m.action) > 0 || m.timing != nil):
		return faultf("a move without bytes and times, by the referee", "one with them")
	case byReferee:
		meant = r.table.forced()
	case m.timing == nil:
		return faultf("times", "none")
	default:
		var reason uint32
		if meant, reason = r.table.answer(m.action); reason != legal {
			return faultf("a legal move", "an answer to refuse for reason %d", reason)
		}
	}
	if m.move == nil {
		return faultf(fmt.Sprintf("move %v", meant), "none")
	}
	if recorded, ok := m.move.meaning(); !ok || recorded != meant {
		return faultf(fmt.Sprintf("move %v", meant), "move %s", describe(recorded, ok))
	}
	if !byReferee {
		r.time(r.clock.answer(r.table.turn, m.timing, true, r.table.round))
	}
	r.moves, r.attempts = r.moves+1, 0
	r.clock.nextTurn()
	r.unscored = r.table.play(meant)
	return nil
}

func describe(m move, ok bool) string {
	if !ok {
		return "that is none"
	}
	if m.split {
		return m.String() + " with a rest that is sent away"
	}
	return m.String()
}

// rejected takes in a refused answer, which is a strike.
func (r *replay) rejected(m *answerRecord) *fault {
	if f := r.onTurn(m, r.attempts+1); f != nil {
		return f
	}
	seat := r.table.turn
	if meant, reason := r.table.answer(m.action); reason == legal {
		return faultf("an answer to refuse", "legal move %v", meant)
	} else if reason != m.reason {
		return faultf(fmt.Sprintf("reason %d", reason), "reason %d", m.reason)
	}
	r.attempts++
	r.clock.refused(m.received)
	s := r.seats[seat]
	if s.strikes++; s.strikes == r.setup.strikes {
		r.owed = &owedOut{seat, endIllegalMove}
		if m.reason == unparsable {
			r.owed.reason = endProtocol
		}
	}
	return nil
}

func (r *replay) resign(m *seatRecord) *fault {
	seat, f := r.seat(m.seat)
	switch {
	case f != nil:
		return f
	case seat != r.table.turn:
		return faultf("the seat in turn", "seat %d", seat)
	}
	r.owed = &owedOut{seat, endResign}
	return nil
}

// seatOut puts a seat out of the match that has started.
func (r *replay) seatOut(m *seatOutRecord, before *seatOutRecord) *fault {
	seat, f := r.seat(m.seat)
	if f != nil {
		return f
	}
	if owed := r.owed; owed != nil {
		if seat != owed.seat || m.reason != owed.reason {
			return faultf(fmt.Sprintf("seat %d out for reason %d", owed.seat, owed.reason),
				"seat %d out for reason %d", seat, m.reason)
		}
		r.owed = nil
		r.putOut(seat, m, before)
		return nil
	}
	s := r.seats[seat]
	awaited := r.table.turn == seat || r.table.turn == dealDue && s.owesReveal()
	switch {
	case m.reason != endTime:
		return faultf("a reason that holds here", "reason %d", m.reason)
	case s.out || !awaited:
		return faultf("a seat that is asked for something", "seat %d", seat)
	}
	round, onTurn := r.table.round, r.table.turn == seat
	if !onTurn {
		round++
	}
	r.time(r.clock.flagged(seat, m, round, onTurn))
	r.putOut(seat, m, before)
	return nil
}

// putOut makes a seat leave, at once with the one before it if they say so.
func (r *replay) putOut(seat int, m, before *seatOutRecord) {
	if before == nil || !atOnce(before, m) {
		r.groups++
	}
	s := r.seats[seat]
	s.out, s.reason, s.group = true, m.reason, r.groups
	r.attempts = 0
	r.lastOut = m
}

// atOnce tells whether two records, one after the other in a frame, put their
// seats out at the same moment.
func atOnce(a, b *seatOutRecord) bool {
	if a.reason != b.reason {
		return false
	}
	return a.reason == endNoShow ||
		a.reason == endTime && a.flag != nil && b.flag != nil && *a.flag == *b.flag
}

// roundScored compares the table at the end of a round.
func (r *replay) roundScored(m *roundScoredRecord) *fault {
	scores := r.table.scores()
	switch {
	case !r.unscored:
		return faultf("a round that ended", "none")
	case m.round != uint32(r.table.round):
		return faultf(fmt.Sprintf("round %d", r.table.round), "round %d", m.round)
	case len(m.scores) != len(scores):
		return faultf(fmt.Sprintf("%d scores", len(scores)), "%d", len(m.scores))
	}
	for i, score := range scores {
		if m.scores[i] != uint32(score) {
			return faultf(fmt.Sprintf("scores %v", scores), "scores %v", m.scores)
		}
	}
	if digest := r.table.digest(); !bytes.Equal(digest[:], m.digest) {
		return faultf(fmt.Sprintf("digest %x", digest), "digest %x", m.digest)
	}
	r.unscored = false
	return nil
}

// time reports what is wrong with a clock.
func (r *replay) time(f *fault) {
	if f != nil {
		r.fail(LevelClocks, f)
		r.clock.stopped = true
	}
}
