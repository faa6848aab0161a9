package verify

import (
	"fmt"
)

// deal lays out a round as it is recorded, if bag and lid could have given it.
// The returned words say what they could not.
func (t *table) deal(d *azulDeal) error {
	if err := t.checkStarter(d); err != nil {
		return err
	}
	if d.extra != nil || len(d.gold) > 0 {
		return fmt.Errorf("special factories, which Azul does not have")
	}
	if len(d.factories) != len(t.factories) {
		return fmt.Errorf("%d factories", len(d.factories))
	}
	dealt := make([]counts, len(d.factories))
	for i, tally := range d.factories {
		var ok bool
		if dealt[i], ok = countsOf(tally); !ok {
			return fmt.Errorf("tally %d", tally)
		}
	}
	bag, lid := t.bag, t.lid
	for i, factory := range dealt {
		left := min(tilesPerFactory, total(bag)+total(lid))
		if total(factory) != left {
			return fmt.Errorf("%d tiles on factory %d instead of %d", total(factory), i, left)
		}
		if !draw(&bag, &lid, factory) {
			return fmt.Errorf("tiles on factory %d that bag and lid do not have", i)
		}
	}
	t.bag, t.lid = bag, lid
	copy(t.factories, dealt)
	t.begin(d)
	return nil
}

// begin starts the round that was dealt.
func (t *table) begin(d *azulDeal) {
	switch {
	case d.starter != nil:
		t.starter = int(*d.starter)
	case t.marker != nobody:
		t.starter = t.marker
	}
	t.marker = nobody
	t.turn = t.starter
	t.round++
}

// checkStarter wants a starter in the first round and nowhere else.
func (t *table) checkStarter(d *azulDeal) error {
	switch {
	case t.round > 0 && d.starter != nil:
		return fmt.Errorf("a starter after the first round")
	case t.round > 0:
		return nil
	case d.starter == nil:
		return fmt.Errorf("no starter in the first round")
	case *d.starter >= uint32(len(t.boards)):
		return fmt.Errorf("starter %d", *d.starter)
	case t.named != nil && *t.named != int(*d.starter):
		return fmt.Errorf("starter %d instead of %d", *d.starter, *t.named)
	}
	return nil
}

// draw takes tiles from the bag. If they are more than the bag has, all of its
// tiles must be among them, and the others come out of the lid (clause 1.5.2).
func draw(bag, lid *counts, tiles counts) bool {
	if total(tiles) <= total(*bag) {
		return subtract(bag, tiles)
	}
	rest := tiles
	if !subtract(&rest, *bag) || !subtract(lid, rest) {
		return false
	}
	*bag, *lid = *lid, counts{}
	return true
}

// subtract takes tiles away, if they are there.
func subtract(from *counts, tiles counts) bool {
	left := *from
	for color := range left {
		if left[color] -= tiles[color]; left[color] < 0 {
			return false
		}
	}
	*from = left
	return true
}

func total(tiles counts) int {
	n := 0
	for _, number := range tiles {
		n += number
	}
	return n
}
