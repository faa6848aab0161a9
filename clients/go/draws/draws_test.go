package draws

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"reflect"
	"testing"
)

const (
	vectorsFile   = "../../../docs/vectors/draws.json"
	vectorsFormat = "azul-referee-draws/1"
)

// checker counts the comparisons made and names the entry at fault.
type checker struct {
	*testing.T
	entry string
	count int
}

// sections maps each section of the vectors file to the check of its entries.
var sections = map[string]func(*checker, []byte){
	"tags":          each(checkTag),
	"keys":          each(checkKeys),
	"agent_roots":   each(checkAgentRoot),
	"fixed":         each(checkFixed),
	"streams":       each(checkStream),
	"uniform":       each(checkUniform),
	"uniform_bytes": each(checkUniformBytes),
	"picks":         each(checkPick),
	"deals":         each(checkDeal),
	"duel_goals":    each(checkDuelGoals),
	"duel_rounds":   each(checkDuelRound),
}

// readVectors returns the sections of the vectors file.
func readVectors(t *testing.T) map[string]json.RawMessage {
	t.Helper()
	data, err := os.ReadFile(vectorsFile)
	if err != nil {
		t.Fatalf("the published vectors are missing: %v", err)
	}
	var file map[string]json.RawMessage
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatalf("%s: %v", vectorsFile, err)
	}
	var format string
	if err := json.Unmarshal(file["format"], &format); err != nil || format != vectorsFormat {
		t.Fatalf("format is %s, want %q", file["format"], vectorsFormat)
	}
	delete(file, "format")
	return file
}

func TestVectors(t *testing.T) {
	file := readVectors(t)
	for name := range file {
		if sections[name] == nil {
			t.Errorf("section %q is unknown to this test", name)
		}
	}
	total := 0
	for name, check := range sections {
		t.Run(name, func(t *testing.T) {
			c := &checker{T: t}
			check(c, file[name])
			if c.count == 0 {
				t.Error("section is absent or checks nothing")
			}
			total += c.count
		})
	}
	t.Logf("%d checks", total)
}

// each applies check to every entry of a section, a JSON list, and demands that
// every entry leads to at least one comparison.
func each[E any](check func(*checker, E)) func(*checker, []byte) {
	return func(c *checker, section []byte) {
		if len(section) == 0 {
			return
		}
		var entries []json.RawMessage
		c.decode(section, &entries)
		for i, raw := range entries {
			c.entry = fmt.Sprintf("entry %d", i)
			var entry E
			c.decode(raw, &entry)
			before := c.count
			check(c, entry)
			if c.count == before {
				c.Errorf("%s: nothing to check", c.entry)
			}
		}
	}
}

// decode refuses fields that this test would not check.
func (c *checker) decode(raw []byte, into any) {
	c.Helper()
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		c.Fatalf("%s: %v", c.entry, err)
	}
	if _, err := d.Token(); err != io.EOF {
		c.Fatalf("%s: trailing text", c.entry)
	}
}

func (c *checker) equal(what string, got, want any) {
	c.Helper()
	c.count++
	if !reflect.DeepEqual(got, want) {
		c.Errorf("%s: %s is %v, want %v", c.entry, what, got, want)
	}
}

func (c *checker) noError(err error) {
	c.Helper()
	if err != nil {
		c.Fatalf("%s: %v", c.entry, err)
	}
}

// length fails unless a list has one element per seat (or per question).
func (c *checker) length(what string, got, want int) {
	c.Helper()
	if got != want || want == 0 {
		c.Fatalf("%s: %s has %d elements, want %d", c.entry, what, got, want)
	}
}

// hexBytes is a byte string in lower-case hex; null gives nil.
type hexBytes []byte

func (h *hexBytes) UnmarshalJSON(raw []byte) error {
	var text *string
	if err := json.Unmarshal(raw, &text); err != nil || text == nil {
		return err
	}
	decoded, err := hex.DecodeString(*text)
	if err != nil {
		return err
	}
	if hex.EncodeToString(decoded) != *text {
		return fmt.Errorf("%q is not in lower case", *text)
	}
	*h = decoded
	return nil
}

func (h hexBytes) String() string { return hex.EncodeToString(h) }

func (c *checker) b16(h hexBytes) [16]byte {
	c.Helper()
	c.length("byte string", len(h), 16)
	return [16]byte(h)
}

func (c *checker) b32(h hexBytes) [32]byte {
	c.Helper()
	c.length("byte string", len(h), 32)
	return [32]byte(h)
}

type tagEntry struct {
	Name  string   `json:"name"`
	Bytes hexBytes `json:"bytes"`
}

func checkTag(c *checker, e tagEntry) {
	c.equal("tag "+e.Name, hexBytes(Tag(e.Name)), e.Bytes)
}

type chainEntry struct {
	X0  hexBytes `json:"x_0"`
	X1  hexBytes `json:"x_1"`
	X2  hexBytes `json:"x_2"`
	X32 hexBytes `json:"x_32"`
	X63 hexBytes `json:"x_63"`
}

type keysEntry struct {
	MatchID      hexBytes      `json:"match_id"`
	Setup        hexBytes      `json:"setup"`
	ServerSeed   hexBytes      `json:"server_seed"`
	Seats        int           `json:"seats"`
	X64          []hexBytes    `json:"x_64"`
	SetupHash    hexBytes      `json:"setup_hash"`
	ServerCommit hexBytes      `json:"server_commit"`
	Chains       []*chainEntry `json:"chains"`
	MatchKey     hexBytes      `json:"match_key"`
	PlayerSeeds  []hexBytes    `json:"player_seeds"`
	Rounds       []struct {
		Round    uint32   `json:"round"`
		Live     []bool   `json:"live"`
		RoundKey hexBytes `json:"round_key"`
	} `json:"rounds"`
}

func checkKeys(c *checker, e keysEntry) {
	matchID, seed := c.b16(e.MatchID), c.b32(e.ServerSeed)
	setupHash := SetupHash(e.Setup)
	c.equal("setup_hash", hexBytes(setupHash[:]), e.SetupHash)
	commit := ServerCommit(matchID, setupHash, seed)
	c.equal("server_commit", hexBytes(commit[:]), e.ServerCommit)

	c.length("x_64", len(e.X64), e.Seats)
	c.length("chains", len(e.Chains), e.Seats)
	c.length("player_seeds", len(e.PlayerSeeds), e.Seats)
	chains := make([]*[ChainLength + 1][32]byte, e.Seats)
	commits := make([]*[32]byte, e.Seats)
	for i := range e.Seats {
		playerSeed := PlayerSeed(seed, matchID, uint8(i))
		c.equal("player seed", hexBytes(playerSeed[:]), e.PlayerSeeds[i])
		c.equal("presence of a chain", e.Chains[i] != nil, e.X64[i] != nil)
		if e.X64[i] == nil || e.Chains[i] == nil {
			continue
		}
		x := Chain(matchID, uint8(i), commit, c.b32(e.X64[i]))
		chains[i], commits[i] = &x, &x[0]
		c.equal("chain", chainEntry{x[0][:], x[1][:], x[2][:], x[32][:], x[63][:]}, *e.Chains[i])
	}
	matchKey, err := MatchKey(seed, matchID, setupHash, commits)
	c.noError(err)
	c.equal("match_key", hexBytes(matchKey[:]), e.MatchKey)

	if len(e.Rounds) == 0 {
		c.Fatalf("%s: no rounds", c.entry)
	}
	for _, r := range e.Rounds {
		c.length("live", len(r.Live), e.Seats)
		reveals := make([]*[32]byte, e.Seats)
		for i, live := range r.Live {
			if !live {
				continue
			}
			if chains[i] == nil || r.Round > ChainLength {
				c.Fatalf("%s: seat %d has no reveal for round %d", c.entry, i, r.Round)
			}
			reveals[i] = &chains[i][r.Round]
		}
		key, err := RoundKey(matchKey, r.Round, reveals)
		c.noError(err)
		c.equal(fmt.Sprintf("round_key %d", r.Round), hexBytes(key[:]), r.RoundKey)
	}
}

type agentRootEntry struct {
	AgentSecret  hexBytes `json:"agent_secret"`
	MatchID      hexBytes `json:"match_id"`
	Seat         uint8    `json:"seat"`
	ServerCommit hexBytes `json:"server_commit"`
	X64          hexBytes `json:"x_64"`
}

func checkAgentRoot(c *checker, e agentRootEntry) {
	root := AgentRoot(c.b32(e.AgentSecret), c.b16(e.MatchID), e.Seat, c.b32(e.ServerCommit))
	c.equal("x_64", hexBytes(root[:]), e.X64)
}

type fixedEntry struct {
	Seed        hexBytes   `json:"seed"`
	Seats       int        `json:"seats"`
	MatchKey    hexBytes   `json:"match_key"`
	PlayerSeeds []hexBytes `json:"player_seeds"`
	Rounds      []struct {
		Round    uint32   `json:"round"`
		RoundKey hexBytes `json:"round_key"`
	} `json:"rounds"`
}

func checkFixed(c *checker, e fixedEntry) {
	seed := c.b32(e.Seed)
	matchKey := FixedMatchKey(seed)
	c.equal("match_key", hexBytes(matchKey[:]), e.MatchKey)
	c.length("player_seeds", len(e.PlayerSeeds), e.Seats)
	for i, want := range e.PlayerSeeds {
		playerSeed := FixedPlayerSeed(seed, uint8(i))
		c.equal("player seed", hexBytes(playerSeed[:]), want)
	}
	if len(e.Rounds) == 0 {
		c.Fatalf("%s: no rounds", c.entry)
	}
	for _, r := range e.Rounds {
		key, err := RoundKey(matchKey, r.Round, make([]*[32]byte, e.Seats))
		c.noError(err)
		c.equal(fmt.Sprintf("round_key %d", r.Round), hexBytes(key[:]), r.RoundKey)
	}
}

type streamEntry struct {
	RoundKey hexBytes `json:"round_key"`
	Purpose  uint8    `json:"purpose"`
	Bytes    hexBytes `json:"bytes"`
}

func checkStream(c *checker, e streamEntry) {
	c.length("bytes", len(e.Bytes), 100)
	s := NewStream(c.b32(e.RoundKey), e.Purpose)
	got := make(hexBytes, len(e.Bytes))
	for i := range got {
		got[i] = s.Next()
	}
	c.equal("stream", got, e.Bytes)
}

type uniformEntry struct {
	RoundKey hexBytes `json:"round_key"`
	Purpose  uint8    `json:"purpose"`
	N        []int    `json:"n"`
	Values   []int    `json:"values"`
}

func checkUniform(c *checker, e uniformEntry) {
	c.length("values", len(e.Values), len(e.N))
	s := NewStream(c.b32(e.RoundKey), e.Purpose)
	for i, n := range e.N {
		value, err := s.Uniform(n)
		c.noError(err)
		c.equal(fmt.Sprintf("call %d, uniform(%d)", i, n), value, e.Values[i])
	}
}

type uniformBytesEntry struct {
	Bytes hexBytes `json:"bytes"`
	N     int      `json:"n"`
	Value int      `json:"value"`
	Used  int      `json:"used"`
}

func checkUniformBytes(c *checker, e uniformBytesEntry) {
	s := &Stream{block: e.Bytes}
	value, err := s.Uniform(e.N)
	c.noError(err)
	if s.counter > 0 {
		c.Fatalf("%s: uniform(%d) uses more than the %d bytes given", c.entry, e.N, len(e.Bytes))
	}
	c.equal("value", value, e.Value)
	c.equal("used", len(e.Bytes)-len(s.block), e.Used)
}

type pickEntry struct {
	RoundKey hexBytes `json:"round_key"`
	Purpose  uint8    `json:"purpose"`
	Items    []int    `json:"items"`
	K        int      `json:"k"`
	Values   []int    `json:"values"`
	Rest     []int    `json:"rest"`
}

func checkPick(c *checker, e pickEntry) {
	picked, rest, err := NewStream(c.b32(e.RoundKey), e.Purpose).Pick(e.Items, e.K)
	c.noError(err)
	c.equal("values", picked, e.Values)
	c.equal("rest", rest, e.Rest)
}

type dealEntry struct {
	Ruleset     string   `json:"ruleset"`
	Seats       int      `json:"seats"`
	RoundKey    hexBytes `json:"round_key"`
	FirstPlayer *int     `json:"first_player"`
	Round       int      `json:"round"`
	Gold        []int    `json:"gold"`
	Bag         []int    `json:"bag"`
	Lid         []int    `json:"lid"`
	Starter     *int     `json:"starter"`
	Discs       []int    `json:"discs"`
	GoldPlaces  []int    `json:"gold_places"`
	Factories   [][]int  `json:"factories"`
	Extra       *int     `json:"extra"`
	BagAfter    []int    `json:"bag_after"`
	LidAfter    []int    `json:"lid_after"`
}

func (c *checker) counts(list []int) Counts {
	c.Helper()
	c.length("counts", len(list), len(Counts{}))
	return Counts(list)
}

func checkDeal(c *checker, e dealEntry) {
	got, err := Round{
		Ruleset:     e.Ruleset,
		Seats:       e.Seats,
		Number:      e.Round,
		Key:         c.b32(e.RoundKey),
		FirstPlayer: e.FirstPlayer,
		Gold:        e.Gold,
		Bag:         c.counts(e.Bag),
		Lid:         c.counts(e.Lid),
	}.Deal()
	c.noError(err)
	c.equal("starter", orNull(got.Starter), orNull(e.Starter))
	c.equal("discs", got.Discs, e.Discs)
	c.equal("gold_places", got.GoldPlaces, e.GoldPlaces)
	c.equal("factories", got.Factories, e.Factories)
	c.equal("extra", orNull(got.Extra), orNull(e.Extra))
	c.equal("bag_after", got.Bag, c.counts(e.BagAfter))
	c.equal("lid_after", got.Lid, c.counts(e.LidAfter))
}

// orNull makes an optional number readable in a message.
func orNull(n *int) string {
	if n == nil {
		return "null"
	}
	return fmt.Sprint(*n)
}
