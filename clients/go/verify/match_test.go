package verify

import (
	"crypto/ed25519"
	"fmt"
	"math/rand"

	"azulreferee/draws"
)

// plan says what kind of match is to be written.
type plan struct {
	ruleset  string
	seats    int
	seed     int64
	fixed    bool
	clock    *clockRule
	strikes  uint32
	cap      uint32
	named    *uint32
	shares   int     // how many seats have a share in the draws
	absent   int     // how many seats never come
	mischief float64 // how often something goes wrong on a turn
	stop     string  // "", or voided, aborted, lost, open after some moves
	stopAt   uint32
}

// host plays a match by a plan and writes it down.
type host struct {
	plan
	*scribe
	random  *rand.Rand
	r       *replay // the state of the match, kept as a verifier keeps it
	server  [32]byte
	commit  [32]byte
	chains  [][draws.ChainLength + 1][32]byte
	now     uint64
	key     [32]byte
	stopped bool
}

// write returns a transcript of a random match.
func write(p plan) *scribe {
	h := &host{plan: p, random: rand.New(rand.NewSource(p.seed))}
	h.scribe = &scribe{key: ed25519.NewKeyFromSeed(h.bytes32())}
	copy(h.match[:], h.bytes32())
	h.now = 1_000_000
	h.open()
	if h.lobby() {
		h.play()
	}
	h.close()
	return h.scribe
}

func (h *host) bytes32() []byte {
	out := make([]byte, 32)
	h.random.Read(out)
	return out
}

func (h *host) setupBytes() []byte {
	s := enc(nil).text(1, h.ruleset).varint(2, 1)
	var options enc
	if h.cap > 0 {
		options = options.varint(1, uint64(h.cap))
	}
	if h.named != nil {
		options = options.varint(2, uint64(*h.named))
	}
	s = s.bytes(3, options)
	for seat := range h.seats {
		s = s.bytes(4, enc(nil).text(1, fmt.Sprintf("bot-%d", seat)))
	}
	if c := h.clock; c != nil {
		var rule enc
		if c.moveLimit != nil {
			rule = rule.varint(1, *c.moveLimit)
		}
		if c.bank != nil {
			rule = rule.varint(2, *c.bank)
		}
		s = s.bytes(5, rule.number(3, c.increment).number(4, c.startup))
	}
	s = s.varint(6, uint64(h.strikes))
	if h.fixed {
		s = s.varint(8, 1)
	}
	return s.varint(9, 3).text(10, "request-1").text(14, "0.1").bytes(15, h.public()).varint(16, 1_700_000_000)
}

// open writes the first two frames.
func (h *host) open() {
	data := h.setupBytes()
	h.frame(rec(kindSetup, data))
	s, _ := readSetup(data)
	h.server = [32]byte(h.bytes32())
	h.commit = draws.ServerCommit([16]byte(h.match), draws.SetupHash(data), h.server)
	h.frame(rec(kindServerCommit, enc(nil).bytes(1, h.commit[:])))
	h.r = &replay{setup: s, table: newTable(s), clock: newClock(s), epoch: 1, stage: stageLobby}
	for range s.seats {
		h.r.seats = append(h.r.seats, &seatState{})
	}
}

// lobby seats everybody and reports whether a match can be played.
func (h *host) lobby() bool {
	present := h.seats - h.absent
	for _, seat := range h.random.Perm(h.seats)[:present] {
		h.r.seats[seat].joined = true
		h.frame(rec(kindJoined, enc(nil).varint(1, uint64(seat)).text(2, "Bot").text(3, "go").varint(4, 1)))
	}
	h.chains = make([][draws.ChainLength + 1][32]byte, h.seats)
	for seat, s := range h.r.seats {
		if h.fixed || !s.joined {
			continue
		}
		m := enc(nil).varint(1, uint64(seat))
		if h.shares > 0 {
			h.shares--
			h.chains[seat] = draws.Chain([16]byte(h.match), uint8(seat), h.commit, [32]byte(h.bytes32()))
			s.shown = &h.chains[seat][0]
			m = m.bytes(2, s.shown[:])
		}
		h.frame(rec(kindAgentCommit, m))
	}
	first := true
	for seat, s := range h.r.seats {
		if s.joined {
			continue
		}
		h.out(seat, endNoShow, nil, first)
		first = false
	}
	if h.r.live() < 2 {
		h.gameOver()
		return false
	}
	h.frame(rec(kindStarted, nil))
	h.r.stage = stagePlay
	setupHash := draws.SetupHash(h.r.setup.bytes)
	h.key, _ = draws.MatchKey(h.server, [16]byte(h.match), setupHash, h.r.shares())
	if h.fixed {
		h.key = draws.FixedMatchKey(h.server)
	}
	return true
}

// out writes that a seat is out, in a frame of its own or in the last one.
func (h *host) out(seat int, reason uint32, times []uint64, begins bool) {
	m := enc(nil).varint(1, uint64(seat)).varint(2, uint64(reason))
	for i, at := range times {
		m = m.varint(3+i, at)
	}
	if begins {
		h.frame(rec(kindSeatOut, m))
	} else {
		h.follow(rec(kindSeatOut, m))
	}
	record := &seatOutRecord{reason: reason}
	if times != nil {
		record.flag = &times[2]
	}
	before := h.r.lastOut
	if begins || reason != endNoShow && reason != endTime {
		before = nil
	}
	h.r.putOut(seat, record, before)
}

// play goes on until the match is over.
func (h *host) play() {
	for {
		t := h.r.table
		switch {
		case h.r.live() < 2 || t.turn == isOver:
			h.gameOver()
			return
		case t.turn == dealDue:
			h.reveals()
			if h.r.live() >= 2 {
				h.deal()
			}
		case h.r.seats[t.turn].out:
			h.moveRecord(t.forced(), 0, nil, nil, false)
		case h.stop != "" && h.r.moves >= h.stopAt:
			h.finish()
			return
		default:
			h.turn()
		}
	}
}

// reveals lets all seats open their shares.
func (h *host) reveals() {
	round := h.r.table.round + 1
	sent := h.now
	for seat, s := range h.r.seats {
		if !s.owesReveal() {
			continue
		}
		if last := h.r.lastOut; h.r.live() < 2 {
			// Only a seat whose time ran out at the same moment may still follow.
			if last != nil && last.flag != nil && h.random.Intn(2) == 0 && h.flagAt(seat, sent) == *last.flag {
				h.flag(seat, sent, false)
			}
			return
		}
		if h.random.Float64() < h.mischief/4 && h.flag(seat, sent, h.r.lastOut == nil) {
			continue
		}
		h.r.lastOut = nil
		x := h.chains[seat][round]
		bad := h.random.Float64() < h.mischief/20
		if bad {
			x[3] ^= 1
		}
		times, ok := h.timing(seat, sent, false)
		if !ok {
			h.flag(seat, sent, true)
			continue
		}
		h.frame(rec(kindReveal, enc(nil).varint(1, uint64(seat)).varint(2, uint64(round)).bytes(3, x[:]).bytes(4, times)))
		if bad {
			h.out(seat, endEntropy, nil, false)
			continue
		}
		s.shown, s.revealed = &h.chains[seat][round], true
	}
}

// timing writes the times of an answer, and reports false if it comes too late.
func (h *host) timing(seat int, sent uint64, isMove bool) (enc, bool) {
	t := &timing{sent: sent, received: max(h.now, sent) + uint64(h.random.Intn(2_000_000))}
	if gap := t.received - sent; gap > 0 && h.random.Intn(10) == 0 {
		t.credited = uint64(h.random.Int63n(int64(gap) + 1))
	}
	c := h.r.clock
	s := &c.seats[seat]
	elapsed := t.received - t.sent - t.credited
	used := uint64(0)
	if !s.moved {
		used = min(elapsed, s.startup)
	}
	t.charged = elapsed - used
	if limit := c.rule.moveLimit; limit != nil && t.charged > *limit {
		return nil, false
	}
	m := enc(nil).number(1, t.sent).number(2, t.received).number(3, t.credited).number(4, t.charged)
	if c.rule.bank != nil {
		if t.charged > s.bank {
			return nil, false
		}
		s.bank -= t.charged
		if isMove {
			s.bank += c.rule.increment
		}
		m = m.varint(5, s.bank)
	}
	s.startup -= used
	s.moved = s.moved || isMove
	h.now = t.received
	return m, true
}

// flag lets the time of a seat run out, if it can.
func (h *host) flag(seat int, sent uint64, begins bool) bool {
	c := h.r.clock
	if c.rule.moveLimit == nil && c.rule.bank == nil {
		return false
	}
	h.out(seat, endTime, []uint64{sent, 7, h.flagAt(seat, sent)}, begins)
	return true
}

// flagAt returns when the time of a seat runs out.
func (h *host) flagAt(seat int, sent uint64) uint64 {
	c := h.r.clock
	left := ^uint64(0)
	if c.rule.moveLimit != nil {
		left = *c.rule.moveLimit
	}
	if c.rule.bank != nil {
		left = min(left, c.seats[seat].bank)
	}
	if !c.seats[seat].moved {
		left += c.seats[seat].startup
	}
	return sent + 7 + left
}

// deal draws a round and lays it out.
func (h *host) deal() {
	t := h.r.table
	shares := make([]*[32]byte, h.seats)
	for i, s := range h.r.seats {
		if s.revealed && !s.out {
			shares[i] = s.shown
		}
		s.revealed = false
	}
	key, _ := draws.RoundKey(h.key, uint32(t.round+1), shares)
	drawn, err := draws.Round{
		Ruleset: h.ruleset, Seats: h.seats, Number: t.round + 1, Key: key,
		FirstPlayer: t.named, Bag: t.bag, Lid: t.lid,
	}.Deal()
	if err != nil {
		panic(err)
	}
	d := &azulDeal{}
	for _, factory := range drawn.Factories {
		var tiles counts
		for _, color := range factory {
			tiles[color]++
		}
		d.factories = append(d.factories, tallyOf(tiles))
	}
	m := enc(nil).fixed32s(1, d.factories)
	if drawn.Starter != nil {
		seat := uint32(*drawn.Starter)
		d.starter = &seat
		m = m.varint(3, uint64(seat))
	}
	if err := t.deal(d); err != nil {
		panic(err)
	}
	h.follow(rec(kindDeal, enc(nil).varint(1, uint64(t.round)).bytes(2, enc(nil).bytes(1, m))))
}
