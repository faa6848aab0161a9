package verify

// floorCost is what n occupied spaces of the floor line cost (clause 1.2.7).
var floorCost = [floorSpaces + 1]int{0, 1, 2, 4, 6, 8, 11, 14}

// tile goes on with the walls until a seat has a choice or all are done. It
// reports whether the round is over.
//
// Seats come in the order of the round's starter and lines from the top; only
// on gray walls that order matters (clause 1.7.2).
func (t *table) tile() bool {
	for ; t.tilingSeat < len(t.boards); t.tilingSeat++ {
		seat := (t.starter + t.tilingSeat) % len(t.boards)
		b := t.boards[seat]
		for ; t.tilingLine < lines; t.tilingLine++ {
			row := t.tilingLine
			if b.lineCount[row] < row+1 {
				continue
			}
			switch cells := t.cellsFor(b, row); len(cells) {
			case 0:
				t.drop(b, b.lineColor[row], b.lineCount[row])
				b.clearLine(row)
			case 1:
				t.layTile(b, row, cells[0])
			default:
				t.turn = seat
				return false
			}
		}
		t.payFloor(b)
		t.tilingLine = 0
	}
	t.endRound()
	return true
}

// cellsFor returns the columns that the tile of a full line may go to.
func (t *table) cellsFor(b *board, row int) []int {
	color := b.lineColor[row]
	if !t.gray {
		return []int{(row + color) % colors}
	}
	var columns []int
	for column := range colors {
		if b.wall[row][column] == noColor && !b.columnHas(column, color) {
			columns = append(columns, column)
		}
	}
	return columns
}

// layTile moves one tile of a full line onto the wall and the others to the lid.
func (t *table) layTile(b *board, row, column int) {
	color := b.lineColor[row]
	t.lid[color] += b.lineCount[row] - 1
	b.clearLine(row)
	b.wall[row][column] = color
	b.score += b.worth(row, column)
}

func (b *board) clearLine(row int) {
	b.lineColor[row], b.lineCount[row] = noColor, 0
}

// worth returns what a tile scores that was just laid (clause 1.4.2).
func (b *board) worth(row, column int) int {
	across := 1 + b.run(row, column, 0, 1) + b.run(row, column, 0, -1)
	down := 1 + b.run(row, column, 1, 0) + b.run(row, column, -1, 0)
	if across == 1 && down == 1 {
		return 1
	}
	points := 0
	if across > 1 {
		points += across
	}
	if down > 1 {
		points += down
	}
	return points
}

// run counts the tiles that follow a cell in one direction without a gap.
func (b *board) run(row, column, downward, rightward int) int {
	n := 0
	for {
		row, column = row+downward, column+rightward
		if row < 0 || row >= lines || column < 0 || column >= colors || b.wall[row][column] == noColor {
			return n
		}
		n++
	}
}

// payFloor takes the cost of the floor line and clears it (clauses 1.4.3, 1.4.4).
func (t *table) payFloor(b *board) {
	b.score = max(0, b.score-floorCost[len(b.floor)])
	for _, tile := range b.floor {
		if tile != marker {
			t.lid[tile]++
		}
	}
	b.floor = nil
}

func (b *board) rowHas(row, color int) bool {
	for _, cell := range b.wall[row] {
		if cell == color {
			return true
		}
	}
	return false
}

func (b *board) columnHas(column, color int) bool {
	for row := range lines {
		if b.wall[row][column] == color {
			return true
		}
	}
	return false
}

func (b *board) completeRows() int {
	n := 0
	for row := range lines {
		if !b.rowHas(row, noColor) {
			n++
		}
	}
	return n
}

func (b *board) completeColumns() int {
	n := 0
	for column := range colors {
		if !b.columnHas(column, noColor) {
			n++
		}
	}
	return n
}

// completeColors counts the colors that have all five tiles on the wall.
func (b *board) completeColors() int {
	var laid [colors]int
	for _, row := range b.wall {
		for _, color := range row {
			if color != noColor {
				laid[color]++
			}
		}
	}
	n := 0
	for _, number := range laid {
		if number == lines {
			n++
		}
	}
	return n
}
