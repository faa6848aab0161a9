package verify

import (
	"bytes"
	"testing"
)

// TestActions asks what bytes mean to the first seat of a table of two that was
// just dealt: on factory 0 lie two blue and two red tiles.
func TestActions(t *testing.T) {
	take := func(source, color, line uint64) enc {
		return enc(nil).bytes(1, enc(nil).varint(1, source).varint(2, color).varint(3, line))
	}
	group := func(depth int) []byte {
		return append(bytes.Repeat([]byte{0x1b}, depth), bytes.Repeat([]byte{0x1c}, depth)...)
	}
	action := func(move enc) []byte { return enc(nil).bytes(1, move) }
	cases := []struct {
		name   string
		bytes  []byte
		reason uint32
		move   string
	}{
		{"a move", action(take(0, 1, 0)), legal, "0B0"},
		{"an index", enc(nil).varint(2, 0), legal, "0B0"},
		{"the last choice counts", append(action(take(0, 1, 0)), enc(nil).varint(2, 5)...), legal, "0BF"},
		{"halves of a move are merged", append(
			action(enc(nil).bytes(1, enc(nil).varint(1, 0).varint(2, 3))),
			action(enc(nil).bytes(1, enc(nil).varint(3, 2)))...), legal, "0R2"},
		{"another kind of move starts anew", append(action(take(0, 1, 0)),
			action(enc(nil).bytes(2, enc(nil).varint(1, 0).varint(2, 0)))...), wrongKind, ""},
		{"unknown fields", append(action(take(0, 1, 0)), enc(nil).varint(9, 1).text(10, "\xff")...), legal, "0B0"},
		{"an unknown wire type of a known field", enc(nil).bytes(2, []byte{0}), malformed, ""},
		{"a group", append(group(3), enc(nil).varint(2, 1)...), legal, "0B1"},
		{"a tag in five bytes", []byte{0x90, 0x80, 0x80, 0x80, 0x00, 1}, legal, "0B1"},
		{"a number of more than 32 bits", enc(nil).varint(2, 1<<32+1), legal, "0B1"},
		{"nothing", nil, malformed, ""},
		{"an empty move", action(nil), malformed, ""},
		{"a move of Duel", action(enc(nil).bytes(4, nil)), malformed, ""},
		{"no source", action(enc(nil).bytes(1, enc(nil).varint(2, 1).varint(3, 0))), malformed, ""},
		{"no color", action(take(0, 0, 0)), malformed, ""},
		{"turquoise", action(take(0, 6, 0)), malformed, ""},
		{"a source beyond the center", action(take(10, 1, 0)), malformed, ""},
		{"a line beyond the floor", action(take(0, 1, 6)), malformed, ""},
		{"a factory of a larger table", action(take(5, 1, 0)), noSuchFactory, ""},
		{"a color that is not there", action(take(0, 2, 0)), colorAbsent, ""},
		{"an empty center", action(take(9, 1, 0)), colorAbsent, ""},
		{"a place too early", action(enc(nil).bytes(2, enc(nil).varint(1, 0).varint(2, 0))), wrongKind, ""},
		{"a split", action(enc(nil).bytes(1, enc(nil).varint(1, 0).varint(2, 1).varint(3, 0).packed(4, []uint32{3}))), splitNotAllowed, ""},
		{"a split out of order", action(enc(nil).bytes(1, enc(nil).varint(1, 0).varint(2, 1).varint(3, 0).packed(4, []uint32{3, 1}))), splitNotAllowed, ""},
		{"a color sent twice", action(enc(nil).bytes(1, enc(nil).varint(1, 0).varint(2, 1).varint(3, 0).packed(4, []uint32{3, 3}))), malformed, ""},
		{"an index too large", enc(nil).varint(2, 1000), noSuchIndex, ""},
		{"half a varint", []byte{0x10, 0x80}, unparsable, ""},
		{"field 0", []byte{0x00, 0x01}, unparsable, ""},
		{"wire type 7", []byte{0x17}, unparsable, ""},
		{"a length beyond the end", []byte{0x0a, 5, 1}, unparsable, ""},
		{"a group without end", []byte{0x1b}, unparsable, ""},
		{"the end of another group", []byte{0x1b, 0x24}, unparsable, ""},
		{"the end of no group", []byte{0x1c}, unparsable, ""},
		{"groups too deep", group(200), unparsable, ""},
		{"a tag in six bytes", []byte{0x90, 0x80, 0x80, 0x80, 0x80, 0x00, 1}, unparsable, ""},
		{"a varint of eleven bytes", append(bytes.Repeat([]byte{0x90}, 11), 0), unparsable, ""},
		{"a broken list", action(enc(nil).bytes(1, enc(nil).bytes(4, []byte{0x80}))), unparsable, ""},
	}
	s := &setup{ruleset: "azul", seats: make([]*seatMessage, 2)}
	table := newTable(s)
	deal := parseDeal("factories=BBRR,YYYY,RRKK,KKWW,BYRK starter=0")
	if err := table.deal(deal); err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		m, reason := table.answer(c.bytes)
		if reason != c.reason || reason == legal && m.String() != c.move {
			t.Errorf("%s: %v for reason %d, want %s for %d", c.name, m, reason, c.move, c.reason)
		}
	}
}

// TestDeals asks which deals a bag and a lid can give.
func TestDeals(t *testing.T) {
	cases := []struct {
		name     string
		bag, lid counts
		deal     string
		want     bool
		bagAfter counts
	}{
		{"all from the bag", counts{20}, counts{0, 9}, "factories=BBBB,BBBB,BBBB,BBBB,BBBB", true, counts{}},
		{"a refill in the middle", counts{10}, counts{0, 12}, "factories=BBBB,BBBB,BBYY,YYYY,YYYY", true, counts{0, 2}},
		{"a refill too early", counts{10}, counts{0, 12}, "factories=BBBB,BBBY,BBBY,YYYY,YYYY", false, counts{}},
		{"a tile of the bag left", counts{10}, counts{0, 12}, "factories=BBBB,BBBB,BYYY,YYYY,YYYY", false, counts{}},
		{"the last ones stay empty", counts{3}, counts{2, 1}, "factories=BBBY,BB,-,-,-", true, counts{}},
		{"spread evenly", counts{3}, counts{2, 1}, "factories=BB,BB,B,Y,-", false, counts{}},
		{"too few although there are more", counts{20}, counts{}, "factories=BBBB,BBBB,BBBB,BBBB,BBB", false, counts{}},
		{"a color that is nowhere", counts{20}, counts{}, "factories=BBBB,BBBB,BBBB,BBBB,BBBW", false, counts{}},
		{"a starter in a later round", counts{20}, counts{}, "factories=BBBB,BBBB,BBBB,BBBB,BBBB starter=0", false, counts{}},
	}
	for _, c := range cases {
		table := newTable(&setup{ruleset: "azul", seats: make([]*seatMessage, 2)})
		table.bag, table.lid, table.round, table.starter = c.bag, c.lid, 1, 0
		err := table.deal(parseDeal(c.deal))
		if (err == nil) != c.want || err == nil && table.bag != c.bagAfter {
			t.Errorf("%s: %v, bag %v", c.name, err, table.bag)
		}
	}
}
