package draws

import (
	"errors"
	"fmt"
	"slices"
)

const (
	duelPlates  = 18
	displaySize = 3
)

// Plates holds the dome plates of Azul Duel, by their ids 0 to 17, that no
// player has yet. The stack has, from the top: the one plate whose back can be
// seen, the plates that were never the top, and the plates that were returned.
//
// Which of the unseen plates becomes the top is drawn at that moment, so every
// method that moves the top takes the stream of the round and PurposePlates.
// The same stream serves for the whole round, as it keeps its place.
type Plates struct {
	Unseen   []int // in the order of their ids
	Top      *int  // nil before the set-up and when the stack is empty
	Display  []int // face up, the newest last
	Returned []int // the one returned first is the first to come up again
}

// NewPlates returns all the plates, as they are before the set-up.
func NewPlates() Plates {
	var p Plates
	for id := range duelPlates {
		p.Unseen = append(p.Unseen, id)
	}
	return p
}

// Clone returns a copy that shares nothing with p. Its lists are never nil.
func (p Plates) Clone() Plates {
	c := Plates{
		Unseen:   append([]int{}, p.Unseen...),
		Display:  append([]int{}, p.Display...),
		Returned: append([]int{}, p.Returned...),
	}
	if p.Top != nil {
		top := *p.Top
		c.Top = &top
	}
	return c
}

// Prepare fills the display up to three plates, as far as the stack goes, and
// returns the plates that it added. Before the set-up it turns up the first top.
func (p *Plates) Prepare(stream *Stream) ([]int, error) {
	if p.Top == nil {
		if err := p.newTop(stream); err != nil {
			return nil, err
		}
	}
	shown := []int{}
	for len(p.Display) < displaySize && p.Top != nil {
		plate, err := p.Show(stream)
		if err != nil {
			return nil, err
		}
		shown = append(shown, plate)
	}
	return shown, nil
}

// Show moves the top plate to the display and returns it. It follows each of
// the two plates that the players take in the opening.
func (p *Plates) Show(stream *Stream) (int, error) {
	plate, err := p.Draw(stream)
	if err == nil {
		p.Display = append(p.Display, plate)
	}
	return plate, err
}

// Draw takes the top plate off the stack and returns it.
func (p *Plates) Draw(stream *Stream) (int, error) {
	if p.Top == nil {
		return 0, errors.New("draws: the stack of plates is empty")
	}
	plate := *p.Top
	return plate, p.newTop(stream)
}

// Return puts a plate that was drawn under the stack. If the stack is empty,
// the plate is its top.
func (p *Plates) Return(plate int) {
	if p.Top == nil {
		p.Top = &plate
		return
	}
	p.Returned = append(p.Returned, plate)
}

// Take removes a plate from the display.
func (p *Plates) Take(plate int) error {
	at := slices.Index(p.Display, plate)
	if at < 0 {
		return fmt.Errorf("draws: plate %d is not on display", plate)
	}
	p.Display = slices.Delete(p.Display, at, at+1)
	return nil
}

// newTop draws one of the unseen plates. When none is left, the plate that was
// returned first comes up, and no byte is taken.
func (p *Plates) newTop(stream *Stream) error {
	p.Top = nil
	switch {
	case len(p.Unseen) > 0:
		picked, rest, err := stream.Pick(p.Unseen, 1)
		if err != nil {
			return err
		}
		p.Top, p.Unseen = &picked[0], rest
	case len(p.Returned) > 0:
		top := p.Returned[0]
		p.Top, p.Returned = &top, p.Returned[1:]
	}
	return nil
}

// check refuses plates that do not exist, lie in two places, or cannot lie
// there before the preparation of a round.
func (p Plates) check(round int) error {
	if !slices.IsSorted(p.Unseen) {
		return errors.New("draws: the unseen plates are not in order")
	}
	all := slices.Concat(p.Unseen, p.Display, p.Returned)
	if p.Top != nil {
		all = append(all, *p.Top)
	}
	slices.Sort(all)
	if len(all) > 0 && (all[0] < 0 || all[len(all)-1] >= duelPlates) {
		return fmt.Errorf("draws: plates are numbered 0 to %d", duelPlates-1)
	}
	if n := len(all); len(slices.Compact(all)) < n {
		return errors.New("draws: a plate lies in two places")
	}
	if len(p.Display) > displaySize {
		return fmt.Errorf("draws: %d plates on display", len(p.Display))
	}
	if round == 1 && len(p.Unseen) < duelPlates {
		return errors.New("draws: round 1 begins with all plates unseen")
	}
	if round > 1 && p.Top == nil && len(p.Unseen)+len(p.Returned) > 0 {
		return errors.New("draws: a stack without a top")
	}
	return nil
}
