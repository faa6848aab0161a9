package verify

import (
	"azulreferee/draws"
)

// Numbers of the game, clauses 1.1 and 1.2.
const (
	colors          = 5
	lines           = 5
	floorSpaces     = 7
	tilesPerColor   = 20
	tilesPerFactory = 4

	marker    = 5 // the first-player marker among the tiles of a floor line
	noColor   = -1
	center    = 9 // as a source
	floorLine = 5 // as a target

	nobody  = -1 // the marker lies in the center, or a starter is not known yet
	dealDue = -2 // as the turn: chance has to bring something first
	isOver  = -3 // as the turn
)

// counts holds a number of tiles per color.
type counts = draws.Counts

// board is what lies before one seat.
type board struct {
	score     int
	lineColor [lines]int // noColor for an empty line
	lineCount [lines]int
	wall      [lines][colors]int // the color in each cell, or noColor
	floor     []int              // colors and the marker, from the left
}

func newBoard() *board {
	b := &board{}
	for row := range lines {
		b.lineColor[row] = noColor
		for column := range colors {
			b.wall[row][column] = noColor
		}
	}
	return b
}

// table is a whole game of Azul, on colored or gray walls.
type table struct {
	ruleset   string
	gray      bool
	cap       int
	named     *int // the first player that the organiser names
	round     int  // how many were dealt
	starter   int  // of this round
	turn      int  // a seat, dealDue or isOver
	marker    int  // who took it this round, or nobody
	factories []counts
	center    counts
	bag, lid  counts
	boards    []*board
	ending    uint32 // why the game is over, an EndReason

	tilingSeat int // how many seats have finished their walls this round
	tilingLine int // the line that the next one has come to
}

func newTable(s *setup) *table {
	t := &table{
		ruleset: s.ruleset, gray: s.ruleset == "azul-gray", cap: s.roundCap(),
		starter: nobody, turn: dealDue, marker: nobody,
		factories: make([]counts, 2*len(s.seats)+1),
	}
	if f := s.options.firstPlayer; f != nil {
		seat := int(*f)
		t.named, t.starter = &seat, seat
	}
	for color := range colors {
		t.bag[color] = tilesPerColor
	}
	for range s.seats {
		t.boards = append(t.boards, newBoard())
	}
	return t
}

// play makes a move that was found legal, and all that the rules force then.
// It reports whether the round is over.
func (t *table) play(m move) bool {
	if m.place {
		b := t.boards[t.turn]
		t.layTile(b, m.row, m.column)
		return t.tile()
	}
	t.playTake(m)
	if t.offers() {
		t.turn = (t.turn + 1) % len(t.boards)
		return false
	}
	t.tilingSeat, t.tilingLine = 0, 0
	return t.tile()
}

// playTake moves tiles from a source to a line (clauses 1.3.4 to 1.3.7).
func (t *table) playTake(m move) {
	b := t.boards[t.turn]
	var taken int
	if m.source == center {
		taken, t.center[m.color] = t.center[m.color], 0
		if t.marker == nobody {
			t.marker = t.turn
			if len(b.floor) < floorSpaces {
				b.floor = append(b.floor, marker)
			}
		}
	} else {
		factory := &t.factories[m.source]
		taken, factory[m.color] = factory[m.color], 0
		for color := range colors {
			t.center[color] += factory[color]
		}
		*factory = counts{}
	}
	if m.line != floorLine {
		laid := min(taken, m.line+1-b.lineCount[m.line])
		b.lineColor[m.line] = m.color
		b.lineCount[m.line] += laid
		taken -= laid
	}
	t.drop(b, m.color, taken)
}

// drop lets tiles fall onto the floor line, and into the lid when it is full.
func (t *table) drop(b *board, color, number int) {
	for range number {
		if len(b.floor) < floorSpaces {
			b.floor = append(b.floor, color)
		} else {
			t.lid[color]++
		}
	}
}

// offers tells whether any source holds a tile.
func (t *table) offers() bool {
	for _, factory := range t.factories {
		if factory != (counts{}) {
			return true
		}
	}
	return t.center != (counts{})
}

// endRound comes after the last wall is tiled: the next deal, or the end.
func (t *table) endRound() {
	t.turn = isOver
	switch {
	case t.anyCompleteRow():
		t.ending = endCompleteRow
	case t.round >= t.cap:
		t.ending = endRoundCap
	case t.bag == (counts{}) && t.lid == (counts{}):
		t.ending = endNoTiles
	default:
		t.turn = dealDue
	}
}

func (t *table) anyCompleteRow() bool {
	for _, b := range t.boards {
		if b.completeRows() > 0 {
			return true
		}
	}
	return false
}

func (t *table) scores() []int {
	var out []int
	for _, b := range t.boards {
		out = append(out, b.score)
	}
	return out
}
