package draws

import (
	"errors"
	"fmt"
)

const (
	tilesPerFactory = 4
	specialDiscs    = 9
	discPlusOne     = 9 // the special factory that gets one extra tile
)

// Counts holds a number of tiles per color: blue, yellow, red, black, white.
// In Azul Duel the last one is turquoise.
type Counts [5]int

// Round is what the deal of one round depends on.
type Round struct {
	Ruleset     string   // azul, azul-gray, chocolatier or chocolatier-gray
	Seats       int      // 2 to 4
	Number      int      // counted from 1
	Key         [32]byte // the round key
	FirstPlayer *int     // the seat that Setup names; nil means a random one
	Gold        []int    // chocolatier from round 2 on: gold disc or 0 per factory
	Bag, Lid    Counts   // the tiles before the deal
}

// Deal is the outcome of the draws at the start of a round. Places, seats and
// colors are counted from 0, discs from 1.
type Deal struct {
	Starter    *int    // round 1 only: the seat that begins
	Discs      []int   // chocolatier, round 1 only: the disc of each place
	GoldPlaces []int   // chocolatier, round 1 only: in the order picked
	Factories  [][]int // the colors of each factory in the order drawn
	Extra      *int    // the color of the extra tile, if one was drawn
	Bag, Lid   Counts  // the tiles after the deal
}

// Deal makes the draws of the round.
func (r Round) Deal() (Deal, error) {
	if err := r.check(); err != nil {
		return Deal{}, err
	}
	var d Deal
	gold := r.Gold
	if r.Number == 1 {
		if err := r.drawStarter(&d); err != nil {
			return Deal{}, err
		}
		if r.special() {
			if err := r.drawDiscs(&d); err != nil {
				return Deal{}, err
			}
			gold = make([]int, r.factories())
			for _, place := range d.GoldPlaces {
				gold[place] = d.Discs[place]
			}
		}
	}
	if err := r.drawTiles(&d, gold); err != nil {
		return Deal{}, err
	}
	return d, nil
}

func (r Round) factories() int {
	return 2*r.Seats + 1
}

func (r Round) special() bool {
	return r.Ruleset == "chocolatier" || r.Ruleset == "chocolatier-gray"
}

func (r Round) check() error {
	switch r.Ruleset {
	case "azul", "azul-gray", "chocolatier", "chocolatier-gray":
	default:
		return fmt.Errorf("draws: unknown ruleset %q", r.Ruleset)
	}
	if r.Seats < 2 || r.Seats > 4 {
		return fmt.Errorf("draws: %d seats, want 2 to 4", r.Seats)
	}
	if r.Number < 1 {
		return errors.New("draws: rounds are counted from 1")
	}
	if f := r.FirstPlayer; f != nil && (*f < 0 || *f >= r.Seats) {
		return fmt.Errorf("draws: no seat %d", *f)
	}
	for color := range r.Bag {
		if r.Bag[color] < 0 || r.Lid[color] < 0 {
			return errors.New("draws: negative number of tiles")
		}
	}
	return r.checkGold()
}

func (r Round) checkGold() error {
	want := 0
	if r.special() && r.Number > 1 {
		want = r.factories()
	}
	if len(r.Gold) != want {
		return fmt.Errorf("draws: gold discs of %d factories, want %d", len(r.Gold), want)
	}
	for _, disc := range r.Gold {
		if disc < 0 || disc > specialDiscs {
			return fmt.Errorf("draws: no disc %d", disc)
		}
	}
	return nil
}

func (r Round) drawStarter(d *Deal) error {
	if r.FirstPlayer != nil {
		seat := *r.FirstPlayer
		d.Starter = &seat
		return nil
	}
	seat, err := NewStream(r.Key, PurposeFirstPlayer).Uniform(r.Seats)
	if err != nil {
		return err
	}
	d.Starter = &seat
	return nil
}

func (r Round) drawDiscs(d *Deal) (err error) {
	var discs, places []int
	for disc := 1; disc <= specialDiscs; disc++ {
		discs = append(discs, disc)
	}
	for place := range r.factories() {
		places = append(places, place)
	}
	stream := NewStream(r.Key, PurposeSpecialFactories)
	if d.Discs, _, err = stream.Pick(discs, len(places)); err != nil {
		return err
	}
	d.GoldPlaces, _, err = stream.Pick(places, r.Seats)
	return err
}

// drawTiles fills the factories, then draws the extra tile if a gold disc asks
// for it.
func (r Round) drawTiles(d *Deal, gold []int) error {
	d.Bag, d.Lid = r.Bag, r.Lid
	stream := NewStream(r.Key, PurposeTiles)
	for range r.factories() {
		factory := make([]int, 0, tilesPerFactory)
		for range tilesPerFactory {
			color, ok, err := drawTile(stream, &d.Bag, &d.Lid)
			if err != nil {
				return err
			}
			if ok {
				factory = append(factory, color)
			}
		}
		d.Factories = append(d.Factories, factory)
	}
	for _, disc := range gold {
		if disc != discPlusOne {
			continue
		}
		color, ok, err := drawTile(stream, &d.Bag, &d.Lid)
		if err != nil {
			return err
		}
		if ok {
			d.Extra = &color
		}
		break
	}
	return nil
}

// drawTile takes one tile from the bag, into which it pours the lid first if
// the bag is empty. It reports false, and takes no byte, if both are empty.
func drawTile(stream *Stream, bag, lid *Counts) (color int, ok bool, err error) {
	if *bag == (Counts{}) {
		*bag, *lid = *lid, Counts{}
	}
	if *bag == (Counts{}) {
		return 0, false, nil
	}
	total := 0
	for _, n := range bag {
		total += n
	}
	k, err := stream.Uniform(total)
	if err != nil {
		return 0, false, err
	}
	for k >= bag[color] {
		k -= bag[color]
		color++
	}
	bag[color]--
	return color, true, nil
}
