package verify

import (
	"bytes"
	"crypto/ed25519"
	"encoding/hex"
	"encoding/json"
	"os"
	"strconv"
	"strings"
	"testing"
)

type hexBytes []byte

func (b *hexBytes) UnmarshalText(text []byte) (err error) {
	*b, err = hex.DecodeString(string(text))
	return err
}

type transcriptVectors struct {
	Frames []struct {
		MatchID hexBytes `json:"match_id"`
		Genesis hexBytes
		Index   int
		Body    hexBytes
		Head    hexBytes
		Link    hexBytes
	}
	Signature struct {
		PrivateKey hexBytes `json:"private_key"`
		PublicKey  hexBytes `json:"public_key"`
		Index      int
		PAE        hexBytes
		Signature  hexBytes
	}
	Positions []struct {
		Position string
		Layout   hexBytes
		Digest   hexBytes
	}
}

// TestVectors reproduces the published values of links, signatures and, for the
// games that are played here, digests.
func TestVectors(t *testing.T) {
	data, err := os.ReadFile("../../../docs/vectors/transcripts.json")
	if err != nil {
		t.Fatal(err)
	}
	var v transcriptVectors
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatal(err)
	}
	match := matchID(v.Frames[0].MatchID)
	link := genesis(match)
	if !bytes.Equal(link[:], v.Frames[0].Genesis) {
		t.Errorf("genesis %x, want %x", link, v.Frames[0].Genesis)
	}
	for _, f := range v.Frames[1:] {
		var out []byte
		out, link = appendFrame(nil, match, f.Index, link, f.Body)
		if !bytes.Equal(out[:headSize], f.Head) || !bytes.Equal(link[:], f.Link) {
			t.Errorf("frame %d: %x, %x", f.Index, out[:headSize], link)
		}
	}
	s := v.Signature
	text := signedText(match, s.Index, link)
	if !bytes.Equal(text, s.PAE) || !ed25519.Verify(ed25519.PublicKey(s.PublicKey), text, s.Signature) {
		t.Errorf("signed text %x, want %x", text, s.PAE)
	}
	played := 0
	for _, p := range v.Positions {
		if !strings.HasPrefix(p.Position, "azul") {
			continue
		}
		played++
		table := parsePosition(p.Position)
		if got := notation(table); got != p.Position {
			t.Fatalf("read %s\nfrom %s", got, p.Position)
		}
		digest := table.digest()
		if !bytes.Equal(table.layout(), p.Layout) || !bytes.Equal(digest[:], p.Digest) {
			t.Errorf("%s:\n got %x\nwant %x", p.Position, table.layout(), p.Layout)
		}
	}
	if played < 3 {
		t.Errorf("%d positions of Azul", played)
	}
}

// parsePosition reads a table from its notation, which must be right.
func parsePosition(text string) *table {
	number := func(word string) int {
		special := map[string]int{"?": nobody, "center": nobody, "deal": dealDue, "over": isOver}
		if n, ok := special[word]; ok {
			return n
		}
		n, _ := strconv.Atoi(word)
		return n
	}
	letter := func(b byte) int { return strings.IndexByte(letters+"M", b) }
	fields := map[string]string{}
	words := strings.Fields(text)
	for _, word := range words[1:] {
		name, value, _ := strings.Cut(word, "=")
		fields[name] = value
	}
	seats := strings.Count(text, " seat")
	t := newTable(&setup{ruleset: strings.Split(words[0], "/")[0], seats: make([]*seatMessage, seats)})
	t.cap, t.round, t.starter = number(fields["cap"]), number(fields["round"]), number(fields["starter"])
	t.turn, t.marker = number(fields["turn"]), number(fields["marker"])
	for i, tiles := range strings.Split(fields["factories"], ",") {
		t.factories[i] = parseTiles(tiles)
	}
	t.center, t.bag, t.lid = parseTiles(fields["center"]), parseTiles(fields["bag"]), parseTiles(fields["lid"])
	for seat, b := range t.boards {
		parts := strings.Split(fields["seat"+strconv.Itoa(seat)], ":")
		b.score = number(parts[0])
		for row, tiles := range strings.Split(parts[1], "/") {
			if tiles != "-" {
				b.lineColor[row], b.lineCount[row] = letter(tiles[0]), len(tiles)
			}
		}
		for row, cells := range strings.Split(parts[2], "/") {
			for column := range cells {
				b.wall[row][column] = letter(cells[column])
			}
		}
		for i := range strings.Trim(parts[3], "-") {
			b.floor = append(b.floor, letter(parts[3][i]))
		}
	}
	return t
}

// parseTiles reads tiles with or without numbers: BBK or 2B1K.
func parseTiles(text string) (tiles counts) {
	n := 0
	for _, r := range strings.Trim(text, "-") {
		if r >= '0' && r <= '9' {
			n = 10*n + int(r-'0')
			continue
		}
		tiles[strings.IndexRune(letters, r)] += max(n, 1)
		n = 0
	}
	return tiles
}
