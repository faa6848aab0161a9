package verify

import (
	"fmt"
	"math/bits"
)

// seatClock is what one seat has left.
type seatClock struct {
	bank    uint64 // if the rule has one
	startup uint64
	moved   bool // its first move was accepted
}

// clock charges the answers of all seats.
type clock struct {
	rule    clockRule
	seats   []seatClock
	stopped bool // something was wrong, so that nothing after it can be judged

	// The latest instants of this epoch, which no later question may precede.
	move    uint64 // received, of a move
	refusal uint64 // received, of a refusal in this turn
	earlier uint64 // received, of a reveal before those of the round below
	reveal  uint64 // received, of a reveal for that round
	round   int
	sent    *uint64 // of all reveals for that round
}

func newClock(s *setup) *clock {
	c := &clock{seats: make([]seatClock, len(s.seats))}
	if s.clock == nil {
		return c
	}
	c.rule = *s.clock
	for i := range c.seats {
		c.seats[i].startup = c.rule.startup
		if c.rule.bank != nil {
			c.seats[i].bank = *c.rule.bank
		}
	}
	return c
}

// restart begins another epoch, whose times say nothing of the last one's.
func (c *clock) restart() {
	c.move, c.refusal, c.earlier, c.reveal, c.sent = 0, 0, 0, 0, nil
}

// nextTurn forgets the refusals of the turn that is over.
func (c *clock) nextTurn() { c.refusal = 0 }

// refused notes when an answer was read that was refused.
func (c *clock) refused(received uint64) {
	c.refusal = max(c.refusal, received)
}

// answer charges a seat for a move or a reveal.
func (c *clock) answer(seat int, t *timing, isMove bool, round int) *fault {
	if c.stopped {
		return nil
	}
	if f := c.asked(t.sent, round, isMove); f != nil {
		return f
	}
	if isMove && t.received < c.refusal {
		return faultf(fmt.Sprintf("an answer not before %d", c.refusal), "one at %d", t.received)
	}
	if !isMove {
		if c.sent != nil && *c.sent != t.sent {
			return faultf(fmt.Sprintf("a question at %d, as for other seats", *c.sent), "one at %d", t.sent)
		}
		c.sent = &t.sent
	}
	if f := c.charge(seat, t, isMove); f != nil {
		return f
	}
	if isMove {
		c.move = max(c.move, t.received)
	} else {
		c.reveal = max(c.reveal, t.received)
	}
	return nil
}

// asked checks that a question was not sent before what it depends on: for a
// turn all answers before it, for a reveal all but the others of its round.
func (c *clock) asked(sent uint64, round int, onTurn bool) *fault {
	if round != c.round {
		c.earlier, c.reveal = max(c.earlier, c.reveal), 0
		c.sent, c.round = nil, round
	}
	first := max(c.move, c.earlier)
	if onTurn {
		first = max(first, c.reveal)
	}
	if sent < first {
		return faultf(fmt.Sprintf("a question not before %d", first), "one at %d", sent)
	}
	return nil
}

// charge takes the time of an answer off what the seat has.
func (c *clock) charge(seat int, t *timing, isMove bool) *fault {
	s := &c.seats[seat]
	elapsed, late := bits.Sub64(t.received, t.sent, 0)
	elapsed, less := bits.Sub64(elapsed, t.credited, 0)
	if late != 0 || less != 0 {
		return faultf("time that passed", "sent %d, received %d, credited %d", t.sent, t.received, t.credited)
	}
	var used uint64
	if !s.moved {
		used = min(elapsed, s.startup)
	}
	charged := elapsed - used
	if t.charged != charged {
		return faultf(fmt.Sprintf("a charge of %d", charged), "%d", t.charged)
	}
	if limit := c.rule.moveLimit; limit != nil && charged > *limit {
		return faultf(fmt.Sprintf("a charge of at most %d", *limit), "%d", charged)
	}
	if c.rule.bank != nil && charged > s.bank {
		return faultf(fmt.Sprintf("a charge of at most %d in the bank", s.bank), "%d", charged)
	}
	bank := s.bank - charged
	if isMove {
		var over uint64
		if bank, over = bits.Add64(bank, c.rule.increment, 0); over != 0 && c.rule.bank != nil {
			return faultf("a bank that fits into 64 bits", "more")
		}
	}
	if f := c.checkBank(bank, t.bankAfter); f != nil {
		return f
	}
	s.startup -= used
	s.moved = s.moved || isMove
	if c.rule.bank != nil {
		s.bank = bank
	}
	return nil
}

func (c *clock) checkBank(bank uint64, recorded *uint64) *fault {
	switch {
	case c.rule.bank == nil && recorded != nil:
		return faultf("no bank", "one of %d", *recorded)
	case c.rule.bank == nil:
		return nil
	case recorded == nil:
		return faultf(fmt.Sprintf("a bank of %d", bank), "none")
	case *recorded != bank:
		return faultf(fmt.Sprintf("a bank of %d", bank), "%d", *recorded)
	}
	return nil
}

// flagged checks that the time of a seat ran out when its record says.
func (c *clock) flagged(seat int, m *seatOutRecord, round int, onTurn bool) *fault {
	if c.stopped {
		return nil
	}
	if m.sent == nil || m.credited == nil || m.flag == nil {
		return faultf("the times of a flag", "not all of them")
	}
	if f := c.asked(*m.sent, round, onTurn); f != nil {
		return f
	}
	s := &c.seats[seat]
	var left uint64
	switch limit := c.rule.moveLimit; {
	case limit != nil && c.rule.bank != nil:
		left = min(*limit, s.bank)
	case limit != nil:
		left = *limit
	case c.rule.bank != nil:
		left = s.bank
	default:
		return faultf("no flag, for nothing runs out", "one at %d", *m.flag)
	}
	parts := []uint64{*m.credited, left}
	if !s.moved {
		parts = append(parts, s.startup)
	}
	flag := *m.sent
	for _, part := range parts {
		var over uint64
		if flag, over = bits.Add64(flag, part, 0); over != 0 {
			return faultf("a flag that fits into 64 bits", "%d", *m.flag)
		}
	}
	if flag != *m.flag {
		return faultf(fmt.Sprintf("a flag at %d", flag), "one at %d", *m.flag)
	}
	return nil
}
