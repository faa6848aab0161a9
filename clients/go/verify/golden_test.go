package verify

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

const (
	goldenGames = "../../../tests/golden/playthroughs"
	letters     = "BYRKW"
)

// TestGoldenGames plays the published games of Azul: every deal, the place of
// every move in the list of legal ones, every position between rounds and the
// outcome must be those of the files.
func TestGoldenGames(t *testing.T) {
	for _, ruleset := range []string{"azul", "azul-gray"} {
		for seats := 2; seats <= 4; seats++ {
			name := fmt.Sprintf("%s-%d.txt", ruleset, seats)
			t.Run(name, func(t *testing.T) {
				data, err := os.ReadFile(filepath.Join(goldenGames, name))
				if err != nil {
					t.Fatal(err)
				}
				s := &setup{ruleset: ruleset, seats: make([]*seatMessage, seats)}
				g := &golden{t, newTable(s), &replay{setup: s}, 0}
				g.r.table = g.table
				for range seats {
					g.r.seats = append(g.r.seats, &seatState{})
				}
				for _, line := range strings.Split(strings.TrimSpace(string(data)), "\n") {
					g.line(line)
				}
				if g.table.turn != isOver || g.lines < 50 {
					t.Errorf("the game is not over after %d lines", g.lines)
				}
			})
		}
	}
}

type golden struct {
	*testing.T
	table *table
	r     *replay
	lines int
}

func (g *golden) line(line string) {
	g.lines++
	word, rest, _ := strings.Cut(line, " ")
	switch word {
	case "#":
	case "start", "position":
		if got := notation(g.table); got != rest {
			g.Fatalf("line %d:\n got %s\nwant %s", g.lines, got, rest)
		}
	case "deal":
		if err := g.table.deal(parseDeal(rest)); err != nil {
			g.Fatalf("line %d: %v", g.lines, err)
		}
	case "seat":
		parts := strings.Fields(rest)
		moves := g.table.legalMoves()
		index, count, _ := strings.Cut(parts[2], "/")
		i, _ := strconv.Atoi(index)
		if count != fmt.Sprint(len(moves)) || moves[i].String() != parts[1] || parts[0] != fmt.Sprint(g.table.turn) {
			g.Fatalf("line %d: %s: %d moves, %v", g.lines, line, len(moves), moves)
		}
		g.table.play(moves[i])
	case "outcome":
		var scores, ranks []string
		for _, s := range g.r.result().seats {
			scores = append(scores, fmt.Sprint(s.score))
			ranks = append(ranks, fmt.Sprint(s.rank))
		}
		reason := map[uint32]string{1: "complete_row", 2: "round_cap", 3: "no_tiles"}[g.table.ending]
		got := fmt.Sprintf("%s scores=%s ranks=%s", reason, strings.Join(scores, ","), strings.Join(ranks, ","))
		if got != rest {
			g.Fatalf("outcome %s, want %s", got, rest)
		}
	case "bonuses":
		seat, want, _ := strings.Cut(rest, " ")
		n, _ := strconv.Atoi(seat)
		var got []string
		for _, b := range g.r.result().seats[n].bonuses {
			got = append(got, fmt.Sprintf("%s=%d*%d", b.name, b.times, b.points))
		}
		if strings.Join(got, " ") != want {
			g.Fatalf("bonuses %v, want %s", got, want)
		}
	default:
		g.Fatalf("line %d: %s", g.lines, line)
	}
}

func parseDeal(text string) *azulDeal {
	d := &azulDeal{}
	for _, part := range strings.Fields(text) {
		name, value, _ := strings.Cut(part, "=")
		if name == "starter" {
			n, _ := strconv.Atoi(value)
			d.starter = seatNumber(uint32(n))
			continue
		}
		for _, factory := range strings.Split(value, ",") {
			var tiles counts
			for _, letter := range strings.Trim(factory, "-") {
				tiles[strings.IndexRune(letters, letter)]++
			}
			d.factories = append(d.factories, tallyOf(tiles))
		}
	}
	return d
}

// notation writes a table as docs/notation.md says.
func notation(t *table) string {
	name := func(n int, none string) string {
		switch n {
		case nobody:
			return none
		case dealDue:
			return "deal"
		case isOver:
			return "over"
		}
		return fmt.Sprint(n)
	}
	var factories []string
	for _, factory := range t.factories {
		factories = append(factories, tilesText(factory))
	}
	out := fmt.Sprintf("%s/1 cap=%d round=%d starter=%s turn=%s marker=%s factories=%s center=%s bag=%s lid=%s",
		t.ruleset, t.cap, t.round, name(t.starter, "?"), name(t.turn, ""), name(t.marker, "center"),
		strings.Join(factories, ","), tilesText(t.center), countsText(t.bag), countsText(t.lid))
	for seat, b := range t.boards {
		var rows, walls []string
		for row := range lines {
			var tiles counts
			if b.lineCount[row] > 0 {
				tiles[b.lineColor[row]] = b.lineCount[row]
			}
			rows = append(rows, tilesText(tiles))
			wall := ""
			for _, color := range b.wall[row] {
				wall += (letters + ".")[(color+6)%6 : (color+6)%6+1]
			}
			walls = append(walls, wall)
		}
		floor := ""
		for _, tile := range b.floor {
			floor += (letters + "M")[tile : tile+1]
		}
		out += fmt.Sprintf(" seat%d=%d:%s:%s:%s", seat, b.score,
			strings.Join(rows, "/"), strings.Join(walls, "/"), dash(floor))
	}
	return out
}

func tilesText(tiles counts) string {
	out := ""
	for color, number := range tiles {
		out += strings.Repeat(letters[color:color+1], number)
	}
	return dash(out)
}

func countsText(tiles counts) string {
	out := ""
	for color, number := range tiles {
		if number > 0 {
			out += fmt.Sprint(number) + letters[color:color+1]
		}
	}
	return dash(out)
}

func dash(text string) string {
	if text == "" {
		return "-"
	}
	return text
}
