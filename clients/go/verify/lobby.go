package verify

import "fmt"

const maxWords = 128 // bytes of what an agent says of itself

// stepLobby takes in what belongs before the start.
func (r *replay) stepLobby(rec *record, before *seatOutRecord) (handled bool, f *fault) {
	switch rec.kind {
	case kindJoined:
		return true, r.joined(rec.body.(*joinedRecord))
	case kindAgentCommit:
		return true, r.agentCommit(rec.body.(*agentCommitRecord))
	case kindStarted:
		return true, r.started()
	case kindSeatOut:
		return true, r.noShow(rec.body.(*seatOutRecord), before)
	}
	return false, nil
}

func (r *replay) joined(m *joinedRecord) *fault {
	seat, f := r.seat(m.seat)
	switch {
	case f != nil:
		return f
	case r.seats[seat].joined || r.seats[seat].out:
		return faultf("a seat that is still free", "seat %d", seat)
	case len(m.name) > maxWords || len(m.kit) > maxWords:
		return faultf("at most 128 bytes each", "name of %d, kit of %d", len(m.name), len(m.kit))
	}
	r.seats[seat].joined = true
	return nil
}

func (r *replay) agentCommit(m *agentCommitRecord) *fault {
	seat, f := r.seat(m.seat)
	switch {
	case f != nil:
		return f
	case r.setup.fixedSeed:
		return faultf("no commitment of an agent with a fixed seed", "one of seat %d", seat)
	case !r.seats[seat].joined || r.seats[seat].committed:
		return faultf("a seat that has joined and not committed", "seat %d", seat)
	case m.some && len(m.x0) != 32:
		return faultf("32 bytes or none", "%d", len(m.x0))
	}
	r.seats[seat].committed = true
	if m.some {
		x := [32]byte(m.x0)
		r.seats[seat].shown = &x
	}
	return nil
}

func (r *replay) started() *fault {
	for seat, s := range r.seats {
		if !s.out && (!s.joined || !s.committed && !r.setup.fixedSeed) {
			return faultf(fmt.Sprintf("seat %d to be ready", seat), "the start")
		}
	}
	r.stage = stagePlay
	r.commits = r.shares()
	return nil
}

// noShow puts a seat out that did not come. All such seats follow each other.
func (r *replay) noShow(m *seatOutRecord, before *seatOutRecord) *fault {
	seat, f := r.seat(m.seat)
	switch {
	case f != nil:
		return f
	case m.reason != endNoShow:
		return faultf("a seat that did not come", "reason %d", m.reason)
	case r.seats[seat].joined || r.seats[seat].out:
		return faultf("a seat that did not come", "seat %d", seat)
	}
	r.putOut(seat, m, before)
	r.noShows = true
	return nil
}

// anyMissing tells whether a seat is neither taken nor out.
func (r *replay) anyMissing() bool {
	for _, s := range r.seats {
		if !s.joined && !s.out {
			return true
		}
	}
	return false
}

// shares returns the last value of each chain, nil where there is none.
func (r *replay) shares() []*[32]byte {
	out := make([]*[32]byte, len(r.seats))
	for i, s := range r.seats {
		out[i] = s.shown
	}
	return out
}
