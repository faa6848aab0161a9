package verify

import (
	"fmt"
	"slices"

	"azulreferee/draws"
)

// dealtRound is a recorded deal and what it was drawn from.
type dealtRound struct {
	frame, record int
	deal          *azulDeal
	shares        []*[32]byte // x_r of each seat, nil where there is none
	bag, lid      counts      // before the deal
}

// seedReveal opens the commitment and draws every round again.
func (r *replay) seedReveal(m *secretRecord) *fault {
	if len(m.value) != 32 {
		return faultf("32 bytes", "%d", len(m.value))
	}
	r.stage = stageSealed
	seed := [32]byte(m.value)
	match := [16]byte(r.v.file.match)
	setupHash := draws.SetupHash(r.setup.bytes)
	if found := draws.ServerCommit(match, setupHash, seed); found != r.commit {
		r.fail(LevelDraws, faultf(fmt.Sprintf("a seed for the commitment %x", r.commit),
			"one for %x", found))
		return nil
	}
	key := draws.FixedMatchKey(seed)
	if !r.setup.fixedSeed && r.commits != nil {
		var err error
		if key, err = draws.MatchKey(seed, match, setupHash, r.commits); err != nil {
			r.fail(LevelDraws, faultf("a match key", "%s", err))
			return nil
		}
	}
	for i, d := range r.dealt {
		if expected, found := r.redraw(key, i+1, d); expected != found {
			r.v.fail(Failure{
				Level: LevelDraws, Frame: d.frame, Record: d.record, Expected: expected, Found: found,
			})
			return nil
		}
	}
	r.v.report.Levels[LevelDraws] = StatusOK
	r.v.report.Fairness = r.fairness()
	return nil
}

// redraw returns the deal that the streams of a round give, and the recorded one.
func (r *replay) redraw(key [32]byte, round int, d dealtRound) (expected, found string) {
	found = describeDeal(d.deal.factories, d.deal.starter)
	roundKey, err := draws.RoundKey(key, uint32(round), d.shares)
	if err != nil {
		return err.Error(), found
	}
	drawn, err := draws.Round{
		Ruleset: r.setup.ruleset, Seats: len(r.seats), Number: round, Key: roundKey,
		FirstPlayer: r.table.named, Bag: d.bag, Lid: d.lid,
	}.Deal()
	if err != nil {
		return err.Error(), found
	}
	var tallies []uint32
	for _, factory := range drawn.Factories {
		var tiles counts
		for _, color := range factory {
			tiles[color]++
		}
		tallies = append(tallies, tallyOf(tiles))
	}
	var starter *uint32
	if drawn.Starter != nil {
		seat := uint32(*drawn.Starter)
		starter = &seat
	}
	return describeDeal(tallies, starter), found
}

// describeDeal writes a deal in the notation of the rules.
func describeDeal(factories []uint32, starter *uint32) string {
	out := "factories="
	for i, tally := range factories {
		if i > 0 {
			out += ","
		}
		if tally == 0 {
			out += "-"
		}
		tiles, _ := countsOf(tally)
		for color, number := range tiles {
			for range number {
				out += "BYRKW"[color : color+1]
			}
		}
	}
	if starter != nil {
		out += fmt.Sprintf(" starter=%d", *starter)
	}
	return out
}

// fairness says what the draws prove.
func (r *replay) fairness() string {
	if r.setup.fixedSeed {
		return "fixed"
	}
	level := "F0"
	for round, d := range r.dealt {
		if !slices.ContainsFunc(d.shares, func(x *[32]byte) bool { return x != nil }) {
			return level
		}
		if round == 0 {
			level = "F1"
		}
	}
	if level == "F1" {
		level = "F2"
	}
	return level
}

// settle says what became of the levels of a match whose rules hold. What has
// not ended yet can hold by its rules and clocks, but has no result or seed.
func (v *verifier) settle() {
	levels := &v.report.Levels
	usual := map[Level]Status{
		LevelRules: StatusOK, LevelClocks: StatusOK,
		LevelResult: StatusIncomplete, LevelDraws: StatusIncomplete,
	}
	for level, status := range usual {
		if levels[level] == StatusNotChecked {
			levels[level] = status
		}
	}
}
