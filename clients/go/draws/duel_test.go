package draws

import (
	"slices"
	"testing"
)

type duelGoalsEntry struct {
	RoundKey  hexBytes `json:"round_key"`
	GoalCount int      `json:"goal_count"`
	Tokens    []int    `json:"tokens"`
	Sides     []int    `json:"sides"`
	Goals     []string `json:"goals"`
}

func checkDuelGoals(c *checker, e duelGoalsEntry) {
	tokens, sides, goals, err := DuelGoals(c.b32(e.RoundKey), e.GoalCount)
	c.noError(err)
	c.equal("tokens", tokens, e.Tokens)
	c.equal("sides", sides, e.Sides)
	c.equal("goals", goals, e.Goals)
}

type platesEntry struct {
	Unseen   []int `json:"unseen"`
	Top      *int  `json:"top"`
	Display  []int `json:"display"`
	Returned []int `json:"returned"`
}

type stepEntry struct {
	Step  string `json:"step"`
	Plate int    `json:"plate"`
	Shown *int   `json:"shown"`
	Top   *int   `json:"top"`
}

type duelRoundEntry struct {
	Case        string      `json:"case"`
	RoundKey    hexBytes    `json:"round_key"`
	Round       int         `json:"round"`
	FirstPlayer *int        `json:"first_player"`
	GoalCount   *int        `json:"goal_count"`
	Bag         []int       `json:"bag"`
	Tower       []int       `json:"tower"`
	Plates      platesEntry `json:"plates"`
	Chips       []int       `json:"chips"`
	Starter     *int        `json:"starter"`
	Goals       []string    `json:"goals"`
	Redraws     []int       `json:"redraws"`
	Large       []int       `json:"large"`
	Small       [][]int     `json:"small"`
	BagAfter    []int       `json:"bag_after"`
	TowerAfter  []int       `json:"tower_after"`
	Shown       []int       `json:"shown"`
	PlatesAfter platesEntry `json:"plates_after"`
	Laid        []int       `json:"laid"`
	ChipsAfter  []int       `json:"chips_after"`
	Steps       []stepEntry `json:"steps"`
	PlatesEnd   platesEntry `json:"plates_end"`
}

func checkDuelRound(c *checker, e duelRoundEntry) {
	c.entry = e.Case
	goalCount := 0
	if e.GoalCount != nil {
		goalCount = *e.GoalCount
	}
	if e.Round == 1 {
		c.equal("plates", platesEntry(NewPlates().Clone()), e.Plates)
		c.equal("chips", NewChips(), e.Chips)
	}
	got, err := DuelRound{
		Number:      e.Round,
		Key:         c.b32(e.RoundKey),
		FirstPlayer: e.FirstPlayer,
		GoalCount:   goalCount,
		Bag:         c.counts(e.Bag),
		Tower:       c.counts(e.Tower),
		Plates:      Plates(e.Plates),
		Chips:       e.Chips,
	}.Deal()
	c.noError(err)
	c.equal("starter", orNull(got.Starter), orNull(e.Starter))
	c.equal("goals", got.Goals, e.Goals)
	c.equal("redraws", got.Redraws, e.Redraws)
	c.equal("large", got.Large, e.Large)
	c.equal("small", got.Small, e.Small)
	c.equal("bag_after", got.Bag, c.counts(e.BagAfter))
	c.equal("tower_after", got.Tower, c.counts(e.TowerAfter))
	c.equal("shown", got.Shown, e.Shown)
	c.equal("plates_after", platesEntry(got.Plates.Clone()), e.PlatesAfter)
	c.equal("laid", got.Laid, e.Laid)
	c.equal("chips_after", got.Chips, e.ChipsAfter)
	for _, step := range e.Steps {
		c.play(&got, step)
	}
	c.equal("plates_end", platesEntry(got.Plates.Clone()), e.PlatesEnd)
}

// play does to the plates what a step says and checks what comes of it.
func (c *checker) play(d *DuelDeal, step stepEntry) {
	c.Helper()
	switch step.Step {
	case "opening":
		c.noError(d.Plates.Take(step.Plate))
		shown, err := d.Plates.Show(d.PlateStream)
		c.noError(err)
		c.equal("plate shown", orNull(&shown), orNull(step.Shown))
	case "take":
		c.noError(d.Plates.Take(step.Plate))
	case "draw":
		plate, err := d.Plates.Draw(d.PlateStream)
		c.noError(err)
		c.equal("plate drawn", plate, step.Plate)
	case "keep": // it leaves the hand of the player, who had drawn it
	case "return":
		d.Plates.Return(step.Plate)
	default:
		c.Fatalf("%s: unknown step %q", c.entry, step.Step)
	}
	c.equal("top after "+step.Step, orNull(d.Plates.Top), orNull(step.Top))
}

// TestDuelVectorsCoverTheRareCases makes sure that the published rounds would
// find a mistake in what seldom happens.
func TestDuelVectorsCoverTheRareCases(t *testing.T) {
	c := &checker{T: t, entry: "duel_rounds"}
	var entries []duelRoundEntry
	c.decode(readVectors(t)["duel_rounds"], &entries)
	covered := map[string]bool{
		"a redraw":                           false,
		"a redraw that leaves the tower":     false,
		"a redraw that pours the tower":      false,
		"several redraws":                    false,
		"five alike kept":                    false,
		"fewer than five alike":              false,
		"a pour within the large factory":    false,
		"a pour within a small factory":      false,
		"a short deal":                       false,
		"no tiles at all":                    false,
		"a returned plate becomes the top":   false,
		"a plate returned to an empty stack": false,
		"a draw that empties the stack":      false,
		"a round without plates":             false,
	}
	cover := func(what string, yes bool) {
		if _, known := covered[what]; !known {
			t.Fatalf("unknown case %q", what)
		}
		covered[what] = covered[what] || yes
	}
	for _, e := range entries {
		bag, tower, after := c.counts(e.Bag), c.counts(e.Tower), c.counts(e.TowerAfter)
		inBag, inTower := sum(bag), sum(tower)
		drawnAlike := len(e.Large) > 0 && alike(e.Large)
		cover("a redraw", len(e.Redraws) == 1)
		cover("a redraw that leaves the tower", len(e.Redraws) > 0 && sum(after) > 0)
		cover("a redraw that pours the tower", len(e.Redraws) > 0 && bag.oneColor() && inBag >= 5)
		cover("several redraws", len(e.Redraws) > 1)
		cover("five alike kept", len(e.Large) == 5 && drawnAlike && inTower > 0)
		cover("fewer than five alike", len(e.Large) > 1 && len(e.Large) < 5 && drawnAlike)
		cover("a pour within the large factory", inBag > 0 && inBag < 5 && inTower >= 5)
		cover("a pour within a small factory", inBag > 5 && inBag < 21 && inBag%4 != 1 && inTower > 0)
		cover("a short deal", len(e.Large) == 5 && len(e.Small[3]) < 4)
		cover("no tiles at all", inBag+inTower == 0)
		cover("a round without plates", e.Round > 1 && e.Plates.Top == nil)
		for _, step := range e.Steps {
			isTop := step.Top != nil && *step.Top == step.Plate
			cover("a returned plate becomes the top", step.Step == "draw" && step.Top != nil &&
				slices.Contains(e.Plates.Returned, *step.Top))
			cover("a plate returned to an empty stack", step.Step == "return" && isTop)
			cover("a draw that empties the stack", step.Step == "draw" && step.Top == nil)
		}
	}
	for what, yes := range covered {
		if !yes {
			t.Errorf("no vector has %s", what)
		}
	}
}

func sum(counts Counts) (total int) {
	for _, n := range counts {
		total += n
	}
	return total
}

func TestBadDuelRound(t *testing.T) {
	seat, plate := 2, 17
	for name, spoil := range map[string]func(*DuelRound){
		"round 0":         func(r *DuelRound) { r.Number = 0 },
		"round 6":         func(r *DuelRound) { r.Number = 6 },
		"first player":    func(r *DuelRound) { r.FirstPlayer = &seat },
		"two goals":       func(r *DuelRound) { r.GoalCount = 2 },
		"late goals":      func(r *DuelRound) { r.Number, r.GoalCount, r.Plates = 2, 3, Plates{} },
		"tiles":           func(r *DuelRound) { r.Tower[4] = -1 },
		"full bag":        func(r *DuelRound) { r.Bag[0] = 257 },
		"chips in a mess": func(r *DuelRound) { r.Chips[0] = 1 },
		"unknown chip":    func(r *DuelRound) { r.Chips[19] = 10 },
		"few chips":       func(r *DuelRound) { r.Chips = r.Chips[:3] },
		"no plates":       func(r *DuelRound) { r.Plates = Plates{} },
		"plates in order": func(r *DuelRound) { r.Plates.Unseen[0] = 2 },
		"unknown plate":   func(r *DuelRound) { r.Plates.Unseen[17] = 18 },
		"plate twice":     func(r *DuelRound) { r.Plates.Top = &plate },
		"four on display": func(r *DuelRound) { r.Number, r.Plates = 2, Plates{Display: []int{1, 2, 3, 4}} },
		"no top":          func(r *DuelRound) { r.Number, r.Plates = 2, Plates{Returned: []int{1}} },
	} {
		r := DuelRound{Number: 1, Bag: Counts{13, 13, 13, 13, 13}, Plates: NewPlates(), Chips: NewChips()}
		if _, err := r.Deal(); err != nil {
			t.Fatal(err)
		}
		spoil(&r)
		if _, err := r.Deal(); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestPlatesThatAreNotThere(t *testing.T) {
	var p Plates
	stream := NewStream([32]byte{}, PurposePlates)
	if _, err := p.Draw(stream); err == nil {
		t.Error("an empty stack gives a plate")
	}
	if _, err := p.Show(stream); err == nil || len(p.Display) > 0 {
		t.Error("an empty stack shows a plate")
	}
	if err := p.Take(3); err == nil {
		t.Error("an empty display gives a plate")
	}
	if stream.counter != 0 {
		t.Error("a refused call took bytes")
	}
}
