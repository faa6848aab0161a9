package draws

import (
	"errors"
	"fmt"
	"slices"
)

const (
	duelSeats      = 2
	duelRounds     = 5
	duelSmall      = 4 // small factories, each with one chip
	largeFactory   = 5 // tiles on the large factory
	chipKinds      = 10
	chipsOfOneKind = 2
)

// goalNames has the two sides of each goal token, which are numbered from 1.
var goalNames = [4][2]string{
	{"rows", "five_colors"},
	{"columns", "perimeter"},
	{"diagonals", "corners"},
	{"wilds", "empty_specials"},
}

// DuelRound is what the draws at the start of a round of Azul Duel depend on.
type DuelRound struct {
	Number      int      // 1 to 5
	Key         [32]byte // the round key
	FirstPlayer *int     // the seat that Setup names; nil means a random one
	GoalCount   int      // round 1 only: 3 or 4 random goals; 0 if Setup names them
	Bag, Tower  Counts   // the tiles before the deal
	Plates      Plates   // before the display is filled; NewPlates in round 1
	Chips       []int    // the chips left, as kinds in ascending order; see NewChips
}

// DuelDeal is the outcome of the draws at the start of a round. Factories,
// seats, colors and kinds of chips are counted from 0.
type DuelDeal struct {
	Starter     *int     // round 1 only: the seat that begins
	Goals       []string // round 1 only, and only if they are random
	Redraws     []int    // the color of each five alike that were drawn again
	Large       []int    // the colors of the large factory in the order drawn
	Small       [][]int  // the same for the four small factories
	Bag, Tower  Counts   // the tiles after the deal
	Shown       []int    // the plates added to the display, in this order
	Plates      Plates   // the plates after the deal
	PlateStream *Stream  // where the plates drawn during this round come from
	Laid        []int    // the kind of chip of each small factory
	Chips       []int    // the chips left after the deal
}

// NewChips returns all 20 chips: two of each kind. The kinds are blue, yellow,
// red, black, turquoise, yellow+turquoise, blue+red, red+turquoise, blue+black
// and yellow+black.
func NewChips() []int {
	chips := make([]int, 0, chipKinds*chipsOfOneKind)
	for kind := range chipKinds {
		for range chipsOfOneKind {
			chips = append(chips, kind)
		}
	}
	return chips
}

// DuelGoals draws count goal tokens, which is 3 or 4, and a side for each of
// them. It returns the numbers of the tokens, in ascending order; per token the
// side, 0 or 1; and the names of the goals.
func DuelGoals(roundKey [32]byte, count int) (tokens, sides []int, goals []string, err error) {
	if count != 3 && count != 4 {
		return nil, nil, nil, fmt.Errorf("draws: %d goals, want 3 or 4", count)
	}
	stream := NewStream(roundKey, PurposeGoals)
	tokens, _, err = stream.Pick([]int{1, 2, 3, 4}, count)
	if err != nil {
		return nil, nil, nil, err
	}
	slices.Sort(tokens)
	for _, token := range tokens {
		side, err := stream.Uniform(2)
		if err != nil {
			return nil, nil, nil, err
		}
		sides = append(sides, side)
		goals = append(goals, goalNames[token-1][side])
	}
	return tokens, sides, goals, nil
}

// Deal makes the draws of the round. It leaves r as it is.
func (r DuelRound) Deal() (DuelDeal, error) {
	if err := r.check(); err != nil {
		return DuelDeal{}, err
	}
	var d DuelDeal
	for _, draw := range []func(*DuelDeal) error{r.drawSetup, r.drawTiles, r.drawPlates, r.drawChips} {
		if err := draw(&d); err != nil {
			return DuelDeal{}, err
		}
	}
	return d, nil
}

func (r DuelRound) check() error {
	if r.Number < 1 || r.Number > duelRounds {
		return fmt.Errorf("draws: round %d, want 1 to %d", r.Number, duelRounds)
	}
	if f := r.FirstPlayer; f != nil && (*f < 0 || *f >= duelSeats) {
		return fmt.Errorf("draws: no seat %d", *f)
	}
	if r.GoalCount != 0 && r.Number > 1 {
		return errors.New("draws: goals are drawn in round 1 only")
	}
	for color := range r.Bag {
		if r.Bag[color] < 0 || r.Tower[color] < 0 {
			return errors.New("draws: negative number of tiles")
		}
	}
	if !slices.IsSorted(r.Chips) {
		return errors.New("draws: the chips are not in order")
	}
	if n := len(r.Chips); n > 0 && (r.Chips[0] < 0 || r.Chips[n-1] >= chipKinds) {
		return fmt.Errorf("draws: kinds of chips are numbered 0 to %d", chipKinds-1)
	}
	return r.Plates.check(r.Number)
}

// drawSetup draws the first player and the goals, if they are to be random.
func (r DuelRound) drawSetup(d *DuelDeal) (err error) {
	if r.Number > 1 {
		return nil
	}
	var seat int
	if r.FirstPlayer != nil {
		seat = *r.FirstPlayer
	} else if seat, err = NewStream(r.Key, PurposeFirstPlayer).Uniform(duelSeats); err != nil {
		return err
	}
	d.Starter = &seat
	if r.GoalCount != 0 {
		_, _, d.Goals, err = DuelGoals(r.Key, r.GoalCount)
	}
	return err
}

// drawTiles fills the large factory, then the small ones.
func (r DuelRound) drawTiles(d *DuelDeal) (err error) {
	d.Bag, d.Tower = r.Bag, r.Tower
	stream := NewStream(r.Key, PurposeTiles)
	if err = d.drawLarge(stream); err != nil {
		return err
	}
	for range duelSmall {
		factory, err := d.drawFactory(stream, tilesPerFactory)
		if err != nil {
			return err
		}
		d.Small = append(d.Small, factory)
	}
	return nil
}

// drawLarge fills the large factory. Five tiles of one color go back into the
// bag and are drawn again, unless bag and tower have no other color.
func (d *DuelDeal) drawLarge(stream *Stream) (err error) {
	d.Redraws = []int{}
	for {
		if d.Large, err = d.drawFactory(stream, largeFactory); err != nil {
			return err
		}
		if len(d.Large) < largeFactory || !alike(d.Large) {
			return nil
		}
		color := d.Large[0]
		d.Bag[color] += largeFactory
		if d.Bag.oneColor() {
			d.pourTower()
		}
		if d.Bag.oneColor() {
			d.Bag[color] -= largeFactory
			return nil
		}
		d.Redraws = append(d.Redraws, color)
	}
}

// drawFactory draws size tiles, or as many as there are.
func (d *DuelDeal) drawFactory(stream *Stream, size int) ([]int, error) {
	factory := make([]int, 0, size)
	for range size {
		color, ok, err := drawTile(stream, &d.Bag, &d.Tower)
		if err != nil {
			return nil, err
		}
		if ok {
			factory = append(factory, color)
		}
	}
	return factory, nil
}

// pourTower adds the tiles of the tower to those in the bag.
func (d *DuelDeal) pourTower() {
	for color, n := range d.Tower {
		d.Bag[color] += n
	}
	d.Tower = Counts{}
}

// oneColor reports whether all tiles are of one color and there is at least one.
func (c Counts) oneColor() bool {
	colors := 0
	for _, n := range c {
		if n > 0 {
			colors++
		}
	}
	return colors == 1
}

// alike reports whether all tiles are of one color.
func alike(tiles []int) bool {
	return len(slices.Compact(slices.Clone(tiles))) == 1
}

// drawPlates fills the display.
func (r DuelRound) drawPlates(d *DuelDeal) (err error) {
	d.Plates = r.Plates.Clone()
	d.PlateStream = NewStream(r.Key, PurposePlates)
	d.Shown, err = d.Plates.Prepare(d.PlateStream)
	return err
}

// drawChips lays a chip onto each small factory.
func (r DuelRound) drawChips(d *DuelDeal) (err error) {
	d.Laid, d.Chips, err = NewStream(r.Key, PurposeChips).Pick(r.Chips, duelSmall)
	return err
}
