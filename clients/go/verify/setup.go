package verify

import (
	"errors"
	"fmt"
	"regexp"
)

const (
	defaultCap = 20
	maxCap     = 64
	maxID      = 64
	maxStrikes = 1000
	maxTime    = 1_000_000_000_000_000 // nanoseconds of a clock rule
	durableAll = 1                     // DURABILITY_SYNC
	durableMax = 3
)

// clockRule is the message ClockRule.
type clockRule struct {
	moveLimit, bank    *uint64
	increment, startup uint64
}

func (m *clockRule) take(f field) error {
	switch f.id {
	case 1:
		f.optional64(&m.moveLimit)
	case 2:
		f.optional64(&m.bank)
	case 3:
		f.u64(&m.increment)
	case 4:
		f.u64(&m.startup)
	}
	return nil
}

// gameOptions is the message Options.
type gameOptions struct {
	roundCap, firstPlayer *uint32
	goals                 []uint32
	randomGoals           *uint32
}

func (m *gameOptions) take(f field) error {
	switch f.id {
	case 1:
		f.optional32(&m.roundCap)
	case 2:
		f.optional32(&m.firstPlayer)
	case 3:
		return f.list32(&m.goals)
	case 4:
		f.optional32(&m.randomGoals)
	}
	return nil
}

// seatMessage is the message Seat.
type seatMessage struct{ agent string }

func (m *seatMessage) take(f field) error {
	if f.id == 1 {
		return f.text(&m.agent)
	}
	return nil
}

// setup is the message Setup, as far as anything depends on it.
type setup struct {
	bytes      []byte // the exact ones, which are hashed into the draws
	ruleset    string
	revision   uint32
	options    gameOptions
	seats      []*seatMessage
	clock      *clockRule
	strikes    uint32
	rated      bool
	fixedSeed  bool
	durability uint32
	ids        [3]string // of the request, the event and the pairing
	version    string    // of the referee
	publicKey  []byte
}

func (m *setup) take(f field) error {
	switch f.id {
	case 1:
		return f.text(&m.ruleset)
	case 2:
		f.u32(&m.revision)
	case 3:
		return f.sub(&m.options)
	case 4:
		if f.wire == wireBytes {
			seat := &seatMessage{}
			m.seats = append(m.seats, seat)
			return f.into(seat)
		}
	case 5:
		if f.wire == wireBytes {
			if m.clock == nil {
				m.clock = &clockRule{}
			}
			return f.into(m.clock)
		}
	case 6:
		f.u32(&m.strikes)
	case 7:
		f.flag(&m.rated)
	case 8:
		f.flag(&m.fixedSeed)
	case 9:
		f.u32(&m.durability)
	case 10, 11, 12:
		return f.text(&m.ids[f.id-10])
	case 14:
		return f.text(&m.version)
	case 15:
		f.blob(&m.publicKey)
	}
	return nil
}

// readSetup reads the bytes of a set-up. What they say is for check to judge.
func readSetup(data []byte) (*setup, error) {
	s := &setup{bytes: data}
	if err := decode(s, data); err != nil {
		return nil, errors.New("bytes that are no set-up")
	}
	return s, nil
}

var handle = regexp.MustCompile(`\A[A-Za-z0-9_-]{1,32}\z`)

// maxSeats has the rulesets and how many can play.
var maxSeats = map[string]int{
	"azul": 4, "azul-gray": 4, "chocolatier": 4, "chocolatier-gray": 4, "duel": 2,
}

// check returns what no set-up of a match may say.
func (m *setup) check() error {
	seats, known := maxSeats[m.ruleset]
	switch {
	case !known:
		return fmt.Errorf("ruleset %q", m.ruleset)
	case m.revision != 1:
		return fmt.Errorf("revision %d", m.revision)
	case len(m.seats) < 2 || len(m.seats) > seats:
		return fmt.Errorf("%d seats", len(m.seats))
	case m.strikes < 1 || m.strikes > maxStrikes:
		return fmt.Errorf("%d strikes", m.strikes)
	case m.durability < 1 || m.durability > durableMax:
		return fmt.Errorf("durability %d", m.durability)
	case len(m.publicKey) != 32:
		return fmt.Errorf("a key of %d bytes", len(m.publicKey))
	}
	for _, seat := range m.seats {
		if !handle.MatchString(seat.agent) {
			return fmt.Errorf("handle %q", seat.agent)
		}
	}
	for _, id := range m.ids {
		if len(id) > maxID {
			return fmt.Errorf("an id of %d bytes", len(id))
		}
	}
	if err := m.checkOptions(); err != nil {
		return err
	}
	if err := m.checkClock(); err != nil {
		return err
	}
	return m.checkRated()
}

func (m *setup) checkClock() error {
	if m.clock == nil {
		return nil
	}
	times := []uint64{m.clock.increment, m.clock.startup}
	for _, limit := range []*uint64{m.clock.moveLimit, m.clock.bank} {
		if limit != nil {
			times = append(times, *limit)
		}
	}
	for _, t := range times {
		if t > maxTime {
			return fmt.Errorf("a clock with %d nanoseconds", t)
		}
	}
	return nil
}

func (m *setup) checkOptions() error {
	o := m.options
	if f := o.firstPlayer; f != nil && *f >= uint32(len(m.seats)) {
		return fmt.Errorf("first player %d", *f)
	}
	if m.ruleset == "duel" {
		if o.roundCap != nil {
			return errors.New("a round cap in a game that has none")
		}
		return nil // which goals go together is for a verifier that plays Duel
	}
	if c := o.roundCap; c != nil && (*c < 1 || *c > maxCap) {
		return fmt.Errorf("round cap %d", *c)
	}
	if len(o.goals) > 0 || o.randomGoals != nil {
		return errors.New("goals in a game that has none")
	}
	return nil
}

func (m *setup) checkRated() error {
	switch {
	case !m.rated:
		return nil
	case m.clock == nil || m.clock.moveLimit == nil && m.clock.bank == nil:
		return errors.New("a rated match without a limit or a bank")
	case m.fixedSeed:
		return errors.New("a rated match with a fixed seed")
	case m.durability != durableAll:
		return errors.New("a rated match that is not durable")
	}
	return nil
}

// roundCap returns the last round that may be played.
func (m *setup) roundCap() int {
	if m.options.roundCap != nil {
		return int(*m.options.roundCap)
	}
	return defaultCap
}
