package verify

import (
	"fmt"
	"strings"
)

// The reasons of an end, as numbered in reason.proto.
const (
	endCompleteRow uint32 = 1
	endRoundCap    uint32 = 2
	endNoTiles     uint32 = 3
	endIllegalMove uint32 = 5
	endProtocol    uint32 = 6
	endTime        uint32 = 7
	endNoShow      uint32 = 8
	endEntropy     uint32 = 9
	endResign      uint32 = 10
	endDoubleFault uint32 = 11
)

// gameOver compares the recorded result with the one that the match came to.
func (r *replay) gameOver(m *gameOverRecord) {
	r.stage = stageEnded
	expected, found := r.result().String(), m.String()
	if expected != found {
		r.fail(LevelResult, &fault{expected, found})
		return
	}
	r.v.report.Levels[LevelResult] = StatusOK
}

// result rebuilds the result from the match alone.
func (r *replay) result() *gameOverRecord {
	byRules := r.table.turn == isOver
	m := &gameOverRecord{reason: r.table.ending}
	if !byRules {
		m.reason = r.faultReason()
	}
	for seat := range r.seats {
		m.seats = append(m.seats, r.seatResult(seat, byRules))
	}
	for seat, result := range m.seats {
		result.rank = r.rank(seat, m.seats, byRules)
	}
	return m
}

func (r *replay) seatResult(seat int, byRules bool) *seatResult {
	b := r.table.boards[seat]
	result := &seatResult{score: uint32(b.score)}
	if byRules {
		result.bonuses = b.bonuses()
		for _, bonus := range result.bonuses {
			result.score += uint32(bonus.points)
		}
	}
	if s := r.seats[seat]; s.out {
		result.out = &s.reason
	}
	return result
}

// bonuses lists what a board is given at the end (clause 1.6.2).
func (b *board) bonuses() []*bonus {
	var out []*bonus
	for _, kind := range []struct {
		name          string
		times, points int
	}{
		{"rows", b.completeRows(), 2},
		{"columns", b.completeColumns(), 7},
		{"colors", b.completeColors(), 10},
	} {
		out = append(out, &bonus{kind.name, uint32(kind.times), int32(kind.times * kind.points)})
	}
	return out
}

// rank places a seat: live seats by their results, and below them those that
// are out, the last ones to go first.
func (r *replay) rank(seat int, results []*seatResult, byRules bool) uint32 {
	rank := uint32(1)
	me := r.seats[seat]
	for other, s := range r.seats {
		switch {
		case me.out && (!s.out || s.group > me.group):
			rank++
		case !me.out && !s.out && byRules && r.better(other, seat, results):
			rank++
		}
	}
	if r.live() == 0 {
		rank++
	}
	return rank
}

// better tells whether a has a better result than b (clause 1.6.3).
func (r *replay) better(a, b int, results []*seatResult) bool {
	if results[a].score != results[b].score {
		return results[a].score > results[b].score
	}
	return r.table.boards[a].completeRows() > r.table.boards[b].completeRows()
}

// faultReason names why a match ended that fewer than two seats could go on with.
func (r *replay) faultReason() uint32 {
	var last []*seatState
	for _, s := range r.seats {
		if s.out && s.group == r.groups {
			last = append(last, s)
		}
	}
	if len(last) == 0 {
		return 0
	}
	if r.live() == 0 && len(last) > 1 && last[0].reason == endTime {
		return endDoubleFault
	}
	return last[0].reason
}

// String writes a result on one line, so that two can be compared and shown.
func (m *gameOverRecord) String() string {
	var out strings.Builder
	fmt.Fprintf(&out, "reason %d", m.reason)
	for seat, s := range m.seats {
		fmt.Fprintf(&out, "; seat %d: score %d, rank %d", seat, s.score, s.rank)
		for _, b := range s.bonuses {
			fmt.Fprintf(&out, ", %q %d times %d points", b.name, b.times, b.points)
		}
		if s.out != nil {
			fmt.Fprintf(&out, ", out for reason %d", *s.out)
		}
	}
	return out.String()
}
