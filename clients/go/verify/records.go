package verify

// kind is the field number of a record in the message Record.
type kind uint32

const (
	kindNone         kind = 0
	kindSetup        kind = 1
	kindServerCommit kind = 2
	kindJoined       kind = 3
	kindAgentCommit  kind = 4
	kindStarted      kind = 5
	kindReveal       kind = 6
	kindDeal         kind = 7
	kindMove         kind = 8
	kindRejected     kind = 9
	kindSeatOut      kind = 10
	kindResign       kind = 11
	kindDisconnect   kind = 12
	kindReconnect    kind = 13
	kindRestart      kind = 14
	kindRoundScored  kind = 15
	kindGameOver     kind = 16
	kindSeedReveal   kind = 17
	kindSecretLost   kind = 18
	kindVoided       kind = 19
	kindAborted      kind = 20
	kindSignature    kind = 21
)

var kindNames = [...]string{
	"nothing known", "setup", "server_commit", "joined", "agent_commit", "started", "reveal",
	"deal", "move", "rejected", "seat_out", "resign", "disconnect", "reconnect", "restart",
	"round_scored", "game_over", "seed_reveal", "secret_lost", "voided", "aborted", "signature",
}

func (k kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return kindNames[kindNone]
}

// frameBody is the message Frame.
type frameBody struct {
	records []*record
}

func (m *frameBody) take(f field) error {
	if f.id != 1 || f.wire != wireBytes {
		return nil
	}
	r := &record{}
	if len(m.records) <= maxInFrame { // one too many is enough to see it
		m.records = append(m.records, r)
	}
	return f.into(r)
}

// record is the message Record. Of its kinds the last one on the wire counts.
type record struct {
	kind  kind
	setup []byte  // of a setup
	body  message // of everything else
}

func (m *record) take(f field) error {
	k := kind(f.id)
	if f.wire != wireBytes || k < kindSetup || k > kindSignature {
		return nil
	}
	if k == kindSetup {
		m.kind, m.setup, m.body = k, f.bytes, nil
		return nil
	}
	if m.kind != k {
		m.kind, m.setup, m.body = k, nil, newBody(k)
	}
	return f.into(m.body)
}

// newBody returns an empty message of a kind of record.
func newBody(k kind) message {
	switch k {
	case kindServerCommit, kindSeedReveal:
		return &secretRecord{}
	case kindJoined:
		return &joinedRecord{}
	case kindAgentCommit:
		return &agentCommitRecord{}
	case kindReveal:
		return &revealRecord{}
	case kindDeal:
		return &dealRecord{}
	case kindMove, kindRejected:
		return &answerRecord{rejected: k == kindRejected}
	case kindSeatOut:
		return &seatOutRecord{}
	case kindResign, kindDisconnect, kindReconnect:
		return &seatRecord{}
	case kindRestart:
		return &restartRecord{}
	case kindRoundScored:
		return &roundScoredRecord{}
	case kindGameOver:
		return &gameOverRecord{}
	case kindVoided, kindAborted:
		return &stopRecord{}
	case kindSignature:
		return &signatureRecord{}
	}
	return &emptyRecord{} // started, secret_lost
}

// emptyRecord has no fields of its own.
type emptyRecord struct{}

func (m *emptyRecord) take(field) error { return nil }

// secretRecord is a commitment or the seed that opens it.
type secretRecord struct{ value []byte }

func (m *secretRecord) take(f field) error {
	if f.id == 1 {
		f.blob(&m.value)
	}
	return nil
}

type joinedRecord struct {
	seat      *uint32
	name, kit string
}

func (m *joinedRecord) take(f field) error {
	switch f.id {
	case 1:
		f.optional32(&m.seat)
	case 2:
		return f.text(&m.name)
	case 3:
		return f.text(&m.kit)
	}
	return nil
}

type agentCommitRecord struct {
	seat *uint32
	x0   []byte
	some bool // x0 is present
}

func (m *agentCommitRecord) take(f field) error {
	switch f.id {
	case 1:
		f.optional32(&m.seat)
	case 2:
		f.blob(&m.x0)
		m.some = m.some || f.wire == wireBytes
	}
	return nil
}

// timing holds the times of one answer.
type timing struct {
	sent, received, credited, charged uint64
	bankAfter                         *uint64
}

func (m *timing) take(f field) error {
	switch f.id {
	case 1:
		f.u64(&m.sent)
	case 2:
		f.u64(&m.received)
	case 3:
		f.u64(&m.credited)
	case 4:
		f.u64(&m.charged)
	case 5:
		f.optional64(&m.bankAfter)
	}
	return nil
}

// takeTiming reads a submessage of times into *to.
func takeTiming(f field, to **timing) error {
	if f.wire != wireBytes {
		return nil
	}
	if *to == nil {
		*to = &timing{}
	}
	return f.into(*to)
}

type revealRecord struct {
	seat   *uint32
	round  uint32
	x      []byte
	timing *timing
}

func (m *revealRecord) take(f field) error {
	switch f.id {
	case 1:
		f.optional32(&m.seat)
	case 2:
		f.u32(&m.round)
	case 3:
		f.blob(&m.x)
	case 4:
		return takeTiming(f, &m.timing)
	}
	return nil
}

// answerRecord is a move or a refused answer, which share most fields.
type answerRecord struct {
	rejected bool
	seat     *uint32
	turn     uint32
	attempt  uint32
	action   []byte
	move     *moveMessage // of a move
	timing   *timing      // of a move
	reason   uint32       // of a refusal
	received uint64       // of a refusal
}

func (m *answerRecord) take(f field) error {
	switch {
	case f.id == 1:
		f.optional32(&m.seat)
	case f.id == 2:
		f.u32(&m.turn)
	case f.id == 3:
		f.u32(&m.attempt)
	case f.id == 4:
		f.blob(&m.action)
	case f.id == 5 && m.rejected:
		f.u32(&m.reason)
	case f.id == 6 && m.rejected:
		f.u64(&m.received)
	case f.id == 5 && f.wire == wireBytes:
		if m.move == nil {
			m.move = &moveMessage{}
		}
		return f.into(m.move)
	case f.id == 6:
		return takeTiming(f, &m.timing)
	}
	return nil
}

type seatOutRecord struct {
	seat                 *uint32
	reason               uint32
	sent, credited, flag *uint64
}

func (m *seatOutRecord) take(f field) error {
	switch f.id {
	case 1:
		f.optional32(&m.seat)
	case 2:
		f.u32(&m.reason)
	case 3:
		f.optional64(&m.sent)
	case 4:
		f.optional64(&m.credited)
	case 5:
		f.optional64(&m.flag)
	}
	return nil
}

// seatRecord is a record that only tells of a seat and an instant, which
// nothing depends on.
type seatRecord struct{ seat *uint32 }

func (m *seatRecord) take(f field) error {
	if f.id == 1 {
		f.optional32(&m.seat)
	}
	return nil
}

type restartRecord struct{ epoch uint32 }

func (m *restartRecord) take(f field) error {
	if f.id == 1 {
		f.u32(&m.epoch)
	}
	return nil
}

type roundScoredRecord struct {
	round  uint32
	scores []uint32
	digest []byte
}

func (m *roundScoredRecord) take(f field) error {
	switch f.id {
	case 1:
		f.u32(&m.round)
	case 2:
		return f.list32(&m.scores)
	case 3:
		f.blob(&m.digest)
	}
	return nil
}

// stopRecord is a match that was voided or aborted.
type stopRecord struct{ detail string }

func (m *stopRecord) take(f field) error {
	if f.id == 1 {
		return f.text(&m.detail)
	}
	return nil
}

type signatureRecord struct{ publicKey, signature []byte }

func (m *signatureRecord) take(f field) error {
	switch f.id {
	case 1:
		f.blob(&m.publicKey)
	case 2:
		f.blob(&m.signature)
	}
	return nil
}
