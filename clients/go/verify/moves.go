package verify

import (
	"fmt"
	"slices"
)

// The reasons of a refusal, as numbered in reason.proto.
const (
	legal           uint32 = 0
	unparsable      uint32 = 1
	malformed       uint32 = 2
	noSuchIndex     uint32 = 3
	wrongKind       uint32 = 12
	noSuchFactory   uint32 = 13
	colorAbsent     uint32 = 14
	lineFull        uint32 = 15
	lineHoldsOther  uint32 = 16
	wallRowHasColor uint32 = 17
	splitNotAllowed uint32 = 20
	wrongRow        uint32 = 21
	cellOccupied    uint32 = 22
	columnHasColor  uint32 = 23
	colorOnWire     uint32 = 1 // COLOR_BLUE, the first color in an enum
)

// move is a take or, on a gray wall, the choice of a cell.
type move struct {
	place               bool
	source, color, line int
	split               bool // the take says where the rest of a factory goes
	row, column         int
}

func (m move) String() string {
	if m.place {
		return fmt.Sprintf("%d@%d", m.row, m.column)
	}
	source, line := fmt.Sprint(m.source), fmt.Sprint(m.line)
	if m.source == center {
		source = "C"
	}
	if m.line == floorLine {
		line = "F"
	}
	return source + "BYRKW"[m.color:m.color+1] + line
}

// meaning returns the move that a message holds, and false if no position of
// any table of Azul could allow it.
func (m *moveMessage) meaning() (move, bool) {
	switch m.kind {
	case moveTake:
		if m.source == nil || *m.source > center || m.line == nil || *m.line > floorLine ||
			!isColor(m.color) || !colorList(m.left) || !colorList(m.right) {
			return move{}, false
		}
		return move{
			source: int(*m.source), color: int(m.color - colorOnWire), line: int(*m.line),
			split: len(m.left)+len(m.right) > 0,
		}, true
	case movePlace:
		if m.row == nil || *m.row >= lines || m.column == nil || *m.column >= colors {
			return move{}, false
		}
		return move{place: true, row: int(*m.row), column: int(*m.column)}, true
	}
	return move{}, false
}

func isColor(n uint32) bool {
	return n >= colorOnWire && n < colorOnWire+colors
}

// colorList tells whether a list names colors, each at most once.
func colorList(list []uint32) bool {
	for i, color := range list {
		if !isColor(color) || slices.Contains(list[:i], color) {
			return false
		}
	}
	return true
}

// legalMoves lists what the seat in turn may do, in the published order.
func (t *table) legalMoves() []move {
	var out []move
	b := t.boards[t.turn]
	if !t.offers() {
		for _, column := range t.cellsFor(b, t.tilingLine) {
			out = append(out, move{place: true, row: t.tilingLine, column: column})
		}
		return out
	}
	for i := 0; i <= len(t.factories); i++ {
		source, tiles := i, t.center
		if i == len(t.factories) {
			source = center
		} else {
			tiles = t.factories[i]
		}
		for color, number := range tiles {
			for line := 0; number > 0 && line <= floorLine; line++ {
				if b.refuses(color, line) == legal {
					out = append(out, move{source: source, color: color, line: line})
				}
			}
		}
	}
	return out
}

// refuses returns why a line does not take a color (clause 1.3.3).
func (b *board) refuses(color, line int) uint32 {
	switch {
	case line == floorLine:
		return legal
	case b.lineCount[line] == line+1:
		return lineFull
	case b.lineCount[line] > 0 && b.lineColor[line] != color:
		return lineHoldsOther
	case b.rowHas(line, color):
		return wallRowHasColor
	}
	return legal
}

// refusal returns why the seat in turn may not make a move, or legal.
func (t *table) refusal(m move) uint32 {
	b := t.boards[t.turn]
	if m.place == t.offers() {
		return wrongKind
	}
	if m.place {
		switch {
		case m.row != t.tilingLine:
			return wrongRow
		case b.wall[m.row][m.column] != noColor:
			return cellOccupied
		case b.columnHas(m.column, b.lineColor[m.row]):
			return columnHasColor
		}
		return legal
	}
	if m.source != center && m.source >= len(t.factories) {
		return noSuchFactory
	}
	tiles := t.center
	if m.source != center {
		tiles = t.factories[m.source]
	}
	if tiles[m.color] == 0 {
		return colorAbsent
	}
	if reason := b.refuses(m.color, m.line); reason != legal {
		return reason
	}
	if m.split {
		return splitNotAllowed
	}
	return legal
}

// answer says what the bytes of an agent mean to the seat in turn: a move, or
// the reason why they are refused.
func (t *table) answer(action []byte) (move, uint32) {
	var a actionMessage
	if err := decode(&a, action); err != nil {
		return move{}, unparsable
	}
	switch a.kind {
	case actionIndex:
		moves := t.legalMoves()
		if uint64(a.index) >= uint64(len(moves)) {
			return move{}, noSuchIndex
		}
		return moves[a.index], legal
	case actionMove:
		m, ok := a.move.meaning()
		if !ok {
			return move{}, malformed
		}
		return m, t.refusal(m)
	}
	return move{}, malformed
}

// forced returns the move that the referee makes for a seat that is out.
func (t *table) forced() move {
	moves := t.legalMoves()
	for _, m := range moves {
		if !m.place && m.line == floorLine {
			return m
		}
	}
	return moves[0]
}
