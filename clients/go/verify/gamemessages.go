package verify

// The messages below hold moves, deals and results as they stand in a record,
// before anybody has asked what they mean.

// Kinds of Move, the field numbers of its oneof.
const (
	moveTake  = 1
	movePlace = 2
	moveLast  = 12 // 3 to 12 are moves of Azul Duel
)

// moveMessage is the message Move. Moves of Azul Duel only have a kind here.
type moveMessage struct {
	kind        uint32
	source      *uint32
	color       uint32
	line        *uint32
	left, right []uint32
	row, column *uint32
	duel        duelMove
}

func (m *moveMessage) take(f field) error {
	if f.wire != wireBytes || f.id < moveTake || f.id > moveLast {
		return nil
	}
	if m.kind != f.id {
		*m = moveMessage{kind: f.id}
	}
	switch f.id {
	case moveTake:
		return f.into((*takeMessage)(m))
	case movePlace:
		return f.into((*placeMessage)(m))
	}
	m.duel.kind = f.id
	return f.into(&m.duel)
}

type takeMessage moveMessage

func (m *takeMessage) take(f field) error {
	switch f.id {
	case 1:
		f.optional32(&m.source)
	case 2:
		f.u32(&m.color)
	case 3:
		f.optional32(&m.line)
	case 4:
		return f.list32(&m.left)
	case 5:
		return f.list32(&m.right)
	}
	return nil
}

type placeMessage moveMessage

func (m *placeMessage) take(f field) error {
	switch f.id {
	case 1:
		f.optional32(&m.row)
	case 2:
		f.optional32(&m.column)
	}
	return nil
}

// duelMove reads a move of Azul Duel only as far as it can fail to be read: in
// its lists of numbers, which may be packed.
type duelMove struct{ kind uint32 }

func (m *duelMove) take(f field) error {
	const takeSun, spendChips = 8, 11
	if m.kind == takeSun && f.id == 4 || m.kind == spendChips && f.id == 2 {
		var list []uint32
		return f.list32(&list)
	}
	return nil
}

// Kinds of Action, the field numbers of its oneof.
const (
	actionMove  = 1
	actionIndex = 2
)

// actionMessage is the message Action, an agent's answer to its turn.
type actionMessage struct {
	kind  uint32
	move  moveMessage
	index uint32
}

func (m *actionMessage) take(f field) error {
	switch {
	case f.id == actionMove && f.wire == wireBytes:
		if m.kind != actionMove {
			*m = actionMessage{kind: actionMove}
		}
		return f.into(&m.move)
	case f.id == actionIndex && f.wire == wireVarint:
		*m = actionMessage{kind: actionIndex, index: uint32(f.number)}
	}
	return nil
}

// Kinds of Deal, the field numbers of its oneof.
const (
	dealAzul = 1
	dealLast = 3 // 2 and 3 are deals of Azul Duel
)

// dealRecord is the message DealRecord together with the deal in it.
type dealRecord struct {
	round uint32
	kind  uint32
	azul  azulDeal
	duel  duelDeal
}

func (m *dealRecord) take(f field) error {
	switch f.id {
	case 1:
		f.u32(&m.round)
	case 2:
		return f.sub((*dealMessage)(m))
	}
	return nil
}

type dealMessage dealRecord

func (m *dealMessage) take(f field) error {
	if f.wire != wireBytes || f.id < dealAzul || f.id > dealLast {
		return nil
	}
	if m.kind != f.id {
		m.kind, m.azul, m.duel = f.id, azulDeal{}, duelDeal{kind: f.id}
	}
	if f.id == dealAzul {
		return f.into(&m.azul)
	}
	return f.into(&m.duel)
}

// azulDeal is the message AzulRoundDeal.
type azulDeal struct {
	factories []uint32
	extra     *uint32
	starter   *uint32
	gold      []uint32
}

func (m *azulDeal) take(f field) error {
	switch f.id {
	case 1:
		return f.fixed32s(&m.factories)
	case 2:
		f.optional32(&m.extra)
	case 3:
		f.optional32(&m.starter)
	case 4:
		return f.list32(&m.gold)
	}
	return nil
}

// duelDeal reads a deal of Azul Duel only as far as it can fail to be read.
type duelDeal struct{ kind uint32 }

func (m *duelDeal) take(f field) error {
	var list []uint32
	const round, uncovered = 2, 3
	switch {
	case m.kind == round && f.id == 2:
		return f.fixed32s(&list)
	case m.kind == round && (f.id == 3 || f.id == 4 || f.id == 6 || f.id == 8):
		return f.list32(&list)
	case m.kind == uncovered && f.id == 4:
		return f.list32(&list)
	case m.kind == uncovered && f.id == 6:
		return f.sub(&emptyRecord{})
	}
	return nil
}

// gameOverRecord is the message GameOver.
type gameOverRecord struct {
	reason uint32
	seats  []*seatResult
}

func (m *gameOverRecord) take(f field) error {
	switch {
	case f.id == 1:
		f.u32(&m.reason)
	case f.id == 2 && f.wire == wireBytes:
		s := &seatResult{}
		m.seats = append(m.seats, s)
		return f.into(s)
	}
	return nil
}

// seatResult is the message SeatResult.
type seatResult struct {
	score, rank uint32
	bonuses     []*bonus
	out         *uint32
}

func (m *seatResult) take(f field) error {
	switch {
	case f.id == 1:
		f.u32(&m.score)
	case f.id == 2:
		f.u32(&m.rank)
	case f.id == 3 && f.wire == wireBytes:
		b := &bonus{}
		m.bonuses = append(m.bonuses, b)
		return f.into(b)
	case f.id == 4:
		f.optional32(&m.out)
	}
	return nil
}

// bonus is the message Bonus.
type bonus struct {
	name   string
	times  uint32
	points int32
}

func (m *bonus) take(f field) error {
	switch f.id {
	case 1:
		return f.text(&m.name)
	case 2:
		f.u32(&m.times)
	case 3:
		var zigzag uint32
		if f.wire == wireVarint {
			f.u32(&zigzag)
			m.points = int32(zigzag>>1) ^ -int32(zigzag&1)
		}
	}
	return nil
}
