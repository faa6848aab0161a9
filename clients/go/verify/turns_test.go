package verify

import "encoding/binary"

// turn lets the seat in turn answer, rightly or not.
func (h *host) turn() {
	t := h.r.table
	seat := t.turn
	sent := h.now
	for attempt := uint64(1); ; attempt++ {
		if h.random.Float64() >= h.mischief {
			break
		}
		switch h.random.Intn(12) {
		case 0:
			h.frame(rec(kindResign, enc(nil).varint(1, uint64(seat)).varint(2, h.now)))
			h.out(seat, endResign, nil, false)
			return
		case 1:
			h.frame(rec(kindDisconnect, enc(nil).varint(1, uint64(seat)).varint(2, h.now)))
			h.frame(rec(kindReconnect, enc(nil).varint(1, uint64(seat)).varint(2, h.now)))
		case 2:
			h.r.epoch += uint32(1 + h.random.Intn(3))
			h.frame(rec(kindRestart, enc(nil).varint(1, uint64(h.r.epoch))))
			sent, h.now = 5, 5
		case 3:
			if h.flag(seat, sent, true) {
				return
			}
		default:
			if action, reason := h.badAnswer(); h.refuse(seat, attempt, action, reason) {
				return
			}
			continue
		}
		attempt--
	}
	moves := t.legalMoves()
	pick := h.random.Intn(len(moves))
	m := moves[pick]
	action := []byte(enc(nil).bytes(1, moveBytes(m)))
	if h.random.Intn(2) == 0 {
		action = enc(nil).varint(2, uint64(pick))
	}
	if strange := odd(h.random, action); h.mischief > 0 && h.random.Intn(10) == 0 {
		if meant, reason := t.answer(strange); reason == legal {
			m, action = meant, strange
		}
	}
	times, ok := h.timing(seat, sent, true)
	if !ok {
		h.flag(seat, sent, true)
		return
	}
	h.moveRecord(m, uint64(h.r.attempts)+1, action, times, true)
}

// badAnswer returns some bytes that the seat in turn may not answer.
func (h *host) badAnswer() ([]byte, uint32) {
	for {
		m := moveMessage{
			kind: moveTake, color: uint32(h.random.Intn(8)),
			source: h.below(11), line: h.below(7), row: h.below(6), column: h.below(6),
		}
		body := enc(nil)
		switch h.random.Intn(10) {
		case 0:
			action := h.bytes32()[:h.random.Intn(12)]
			if _, reason := h.r.table.answer(action); reason != legal {
				return action, reason
			}
			continue
		case 1:
			action := enc(nil).varint(2, uint64(h.random.Intn(400)))
			if _, reason := h.r.table.answer(action); reason != legal {
				return action, reason
			}
			continue
		case 2:
			body = enc(nil).bytes(2, enc(nil).varint(1, uint64(*m.row)).varint(2, uint64(*m.column)))
		case 3:
			body = enc(nil).bytes(3+h.random.Intn(12), nil)
		default:
			take := enc(nil)
			if h.random.Intn(20) > 0 {
				take = take.varint(1, uint64(*m.source))
			}
			take = take.number(2, uint64(m.color)).varint(3, uint64(*m.line))
			if h.random.Intn(10) == 0 {
				take = take.packed(4, []uint32{uint32(h.random.Intn(7)), uint32(h.random.Intn(7))})
				take = take.packed(5, []uint32{uint32(h.random.Intn(7))})
			}
			body = enc(nil).bytes(1, take)
		}
		action := []byte(enc(nil).bytes(1, body))
		switch h.random.Intn(6) {
		case 0:
			action = odd(h.random, action)
		case 1:
			action = enc(nil).bytes(1, odd(h.random, body))
		}
		if _, reason := h.r.table.answer(action); reason != legal {
			return action, reason
		}
	}
}

func (h *host) below(n int) *uint32 {
	value := uint32(h.random.Intn(n))
	return &value
}

// refuse writes a refusal and reports whether the seat is out by it.
func (h *host) refuse(seat int, attempt uint64, action []byte, reason uint32) bool {
	h.frame(rec(kindRejected, enc(nil).varint(1, uint64(seat)).varint(2, uint64(h.r.moves+1)).
		varint(3, attempt).bytes(4, action).varint(5, uint64(reason)).varint(6, h.now)))
	h.r.attempts++
	s := h.r.seats[seat]
	if s.strikes++; s.strikes < h.strikes {
		return false
	}
	why := endIllegalMove
	if reason == unparsable {
		why = endProtocol
	}
	h.out(seat, why, nil, false)
	return true
}

func moveBytes(m move) enc {
	if m.place {
		return enc(nil).bytes(2, enc(nil).varint(1, uint64(m.row)).varint(2, uint64(m.column)))
	}
	take := enc(nil).varint(1, uint64(m.source)).varint(2, uint64(m.color)+1).varint(3, uint64(m.line))
	return enc(nil).bytes(1, take)
}

// moveRecord writes a move, plays it, and writes what follows from it.
func (h *host) moveRecord(m move, attempt uint64, action []byte, times enc, begins bool) {
	t := h.r.table
	body := enc(nil).varint(1, uint64(t.turn)).varint(2, uint64(h.r.moves+1)).number(3, attempt)
	if action != nil {
		body = body.bytes(4, action)
	}
	body = body.bytes(5, moveBytes(m))
	if times != nil {
		body = body.bytes(6, times)
	}
	if begins {
		h.frame(rec(kindMove, body))
	} else {
		h.follow(rec(kindMove, body))
	}
	h.r.moves, h.r.attempts = h.r.moves+1, 0
	h.r.lastOut = nil
	if !t.play(m) {
		return
	}
	var scores []uint32
	for _, score := range t.scores() {
		scores = append(scores, uint32(score))
	}
	digest := t.digest()
	h.follow(rec(kindRoundScored, enc(nil).varint(1, uint64(t.round)).packed(2, scores).bytes(3, digest[:])))
}

// gameOver writes the result into the last frame.
func (h *host) gameOver() {
	result := h.r.result()
	m := enc(nil).varint(1, uint64(result.reason))
	for _, s := range result.seats {
		seat := enc(nil).number(1, uint64(s.score)).number(2, uint64(s.rank))
		for _, b := range s.bonuses {
			points := binary.AppendVarint(nil, int64(b.points))
			zigzag, _ := binary.Uvarint(points)
			seat = seat.bytes(3, enc(nil).text(1, b.name).number(2, uint64(b.times)).number(3, zigzag))
		}
		if s.out != nil {
			seat = seat.varint(4, uint64(*s.out))
		}
		m = m.bytes(2, seat)
	}
	h.follow(rec(kindGameOver, m.varint(3, 1_700_000_100).varint(4, 2)))
}

// finish ends a match early, as the plan says.
func (h *host) finish() {
	h.stopped = true
	switch h.stop {
	case "voided", "lost":
		h.frame(rec(kindVoided, enc(nil).text(1, "the disk is full")))
	case "aborted":
		h.frame(rec(kindAborted, enc(nil).text(1, "enough")))
	}
}

// close opens the seed, or does not.
func (h *host) close() {
	switch {
	case h.stopped && h.stop == "open":
		h.unsign = true
	case h.stopped && h.stop == "lost":
		h.lost = true
		h.follow(rec(kindSecretLost, nil))
	default:
		h.follow(rec(kindSeedReveal, enc(nil).bytes(1, h.server[:])))
	}
}
