package verify

import (
	"fmt"

	"azulreferee/draws"
)

// glance checks of a match what needs no rules of its game: that the seed opens
// the commitment of the referee, and that each reveal opens what its seat had
// shown. A reveal that does not must be followed by its seat going out.
func (v *verifier) glance(s *setup) {
	g := &glance{v: v, setup: s, shown: make([]*[32]byte, len(s.seats))}
	for i, frame := range v.file.frames {
		g.frame = i
		for n, rec := range frame.records {
			var next *record
			if n+1 < len(frame.records) {
				next = frame.records[n+1]
			}
			g.look(rec, next)
			g.record++
		}
	}
	levels := &v.report.Levels
	switch {
	case levels[LevelDraws] != StatusNotChecked:
	case g.opened:
		levels[LevelDraws] = StatusPartial
	default:
		levels[LevelDraws] = StatusIncomplete
	}
}

type glance struct {
	v             *verifier
	setup         *setup
	frame, record int
	commit        *[32]byte
	shown         []*[32]byte
	opened        bool
}

func (g *glance) look(rec, next *record) {
	switch rec.kind {
	case kindServerCommit:
		g.commit = value32(rec.body.(*secretRecord).value)
	case kindAgentCommit:
		m := rec.body.(*agentCommitRecord)
		if g.knows(m.seat) {
			g.shown[*m.seat] = value32(m.x0)
		}
	case kindReveal:
		g.reveal(rec.body.(*revealRecord), next)
	case kindSecretLost:
		g.fail("a seed", "none, and nothing can prove the draws")
	case kindSeedReveal:
		g.seedReveal(rec.body.(*secretRecord))
	}
}

func (g *glance) knows(seat *uint32) bool {
	return seat != nil && *seat < uint32(len(g.shown))
}

func (g *glance) reveal(m *revealRecord, next *record) {
	x := value32(m.x)
	if !g.knows(m.seat) || x == nil || g.commit == nil || g.shown[*m.seat] == nil {
		return
	}
	seat := *m.seat
	shown := draws.ChainStep([16]byte(g.v.file.match), uint8(seat), *g.commit, m.round, *x)
	if shown == *g.shown[seat] {
		g.shown[seat] = x
		return
	}
	if next != nil && next.kind == kindSeatOut {
		out := next.body.(*seatOutRecord)
		if out.seat != nil && *out.seat == seat && out.reason == endEntropy {
			return
		}
	}
	g.fail(fmt.Sprintf("a value that opens %x", *g.shown[seat]), fmt.Sprintf("one for %x", shown))
}

func (g *glance) seedReveal(m *secretRecord) {
	seed := value32(m.value)
	if seed == nil || g.commit == nil {
		return
	}
	found := draws.ServerCommit([16]byte(g.v.file.match), draws.SetupHash(g.setup.bytes), *seed)
	if found != *g.commit {
		g.fail(fmt.Sprintf("a seed for the commitment %x", *g.commit), fmt.Sprintf("one for %x", found))
	}
	g.opened = true
}

func (g *glance) fail(expected, found string) {
	g.v.fail(Failure{
		Level: LevelDraws, Frame: g.frame, Record: g.record, Expected: expected, Found: found,
	})
}

// value32 returns a value of 32 bytes, and nil for one of another size.
func value32(data []byte) *[32]byte {
	if len(data) != 32 {
		return nil
	}
	x := [32]byte(data)
	return &x
}
