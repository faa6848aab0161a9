package verify

import (
	"crypto/sha256"
	"encoding/binary"

	"azulreferee/draws"
)

// How a layout writes what is not there.
const (
	layoutNone = 255
	layoutDeal = 254
)

// digest returns the hash of the layout of a table of Azul.
func (t *table) digest() [32]byte {
	return sha256.Sum256(append(draws.Tag("position"), t.layout()...))
}

func (t *table) layout() []byte {
	out := append([]byte{byte(len(t.ruleset))}, t.ruleset...)
	out = appendU32(out, 1)
	out = append(out, byte(len(t.boards)), byte(t.cap))
	out = appendU32(out, t.round)
	out = append(out, seatByte(t.starter), seatByte(t.turn), seatByte(t.marker))
	out = append(out, byte(len(t.factories)))
	out = append(out, make([]byte, len(t.factories))...) // no gold discs
	for _, factory := range t.factories {
		out = appendTally(out, factory)
	}
	out = appendTally(out, t.center)
	out = appendTally(out, t.bag)
	out = appendTally(out, t.lid)
	out = append(out, layoutNone, layoutNone) // no shield
	for _, b := range t.boards {
		out = b.appendLayout(out)
	}
	return out
}

func (b *board) appendLayout(out []byte) []byte {
	out = appendU32(out, b.score)
	for _, color := range b.lineColor {
		out = append(out, seatByte(color))
	}
	for _, number := range b.lineCount {
		out = append(out, byte(number))
	}
	for color := range colors {
		mask := 0
		for row := range lines {
			for column := range colors {
				if b.wall[row][column] == color {
					mask |= 1 << (5*row + column)
				}
			}
		}
		out = appendU32(out, mask)
	}
	out = append(out, byte(len(b.floor)))
	for space := range floorSpaces {
		if space < len(b.floor) {
			out = append(out, byte(b.floor[space]))
		} else {
			out = append(out, layoutNone)
		}
	}
	return out
}

// seatByte writes a seat or a color, and what stands in place of one.
func seatByte(n int) byte {
	switch {
	case n == dealDue:
		return layoutDeal
	case n < 0:
		return layoutNone
	}
	return byte(n)
}

func appendU32(out []byte, n int) []byte {
	return binary.BigEndian.AppendUint32(out, uint32(n))
}

func appendTally(out []byte, tiles counts) []byte {
	return binary.BigEndian.AppendUint32(out, tallyOf(tiles))
}

func tallyOf(tiles counts) uint32 {
	var tally uint32
	for color, number := range tiles {
		tally |= uint32(number) << (6 * color)
	}
	return tally
}

// countsOf reads a tally, and reports false if it has bits of a sixth color.
func countsOf(tally uint32) (tiles counts, ok bool) {
	for color := range tiles {
		tiles[color] = int(tally >> (6 * color) & 63)
	}
	return tiles, tally>>30 == 0
}
