package verify

import "strings"

func long(n int) []byte { return []byte(strings.Repeat("x", n)) }

var setupEdges = []edge{
	{"no set-up", func(s *scribe) { s.frames = s.frames[1:] }, nil, Rules, 0, 0},
	{"a set-up of junk", at(0, 0, setBytes([]byte{0xff}, 1)), nil, Rules, 0, 0},
	{"a set-up of junk and a false signature", at(0, 0, setBytes([]byte{0xff}, 1)), falsify, Signature, edgeLast + 1, -1},
	{"no strikes and a false signature", at(0, 0, setTo(0, 1, 6)), falsify, Signature, edgeLast + 1, -1},
	{"no strikes and another key", at(0, 0, func(d []byte) []byte {
		return edit(put(d, long(32), 1, 15), 0, 1, 6)
	}), nil, Rules, 0, 0},
	{"nothing but a signature", func(s *scribe) { s.frames = nil }, nil, Rules, 0, 0},
	{"a false signature", nil, falsify, Signature, edgeLast + 1, -1},
	{"another ruleset", at(0, 0, setBytes([]byte("azure"), 1, 1)), nil, Rules, 0, 0},
	{"another revision", at(0, 0, setTo(2, 1, 2)), nil, Rules, 0, 0},
	{"no strikes", at(0, 0, setTo(0, 1, 6)), nil, Rules, 0, 0},
	{"1001 strikes", at(0, 0, setTo(1001, 1, 6)), nil, Rules, 0, 0},
	{"1000 strikes", at(0, 0, setTo(1000, 1, 6)), nil, Draws, edgeLast, edgeSeed},
	{"a limit too long", at(0, 0, setTo(1e15+1, 1, 5, 1)), nil, Rules, 0, 0},
	{"a bank too long", at(0, 0, setTo(1e15+1, 1, 5, 2)), nil, Rules, 0, 0},
	{"an increment too long", at(0, 0, setTo(1e15+1, 1, 5, 3)), nil, Rules, 0, 0},
	{"an allowance too long", at(0, 0, setTo(1e15+1, 1, 5, 4)), nil, Rules, 0, 0},
	{"a long limit", at(0, 0, setTo(1e15, 1, 5, 1)), nil, Draws, edgeLast, edgeSeed},
	{"no durability", at(0, 0, setTo(0, 1, 9)), nil, Rules, 0, 0},
	{"unknown durability", at(0, 0, setTo(4, 1, 9)), nil, Rules, 0, 0},
	{"another key", at(0, 0, setBytes(long(32), 1, 15)), nil, Signature, edgeLast + 1, -1},
	{"a short key", at(0, 0, setBytes(long(31), 1, 15)), nil, Rules, 0, 0},
	{"a bad handle", at(0, 0, setBytes([]byte("a b"), 1, 4, 1)), nil, Rules, 0, 0},
	{"a long handle", at(0, 0, setBytes(long(33), 1, 4, 1)), nil, Rules, 0, 0},
	{"an empty handle", at(0, 0, setBytes(nil, 1, 4, 1)), nil, Rules, 0, 0},
	{"a long request id", at(0, 0, setBytes(long(65), 1, 10)), nil, Rules, 0, 0},
	{"a long event id", at(0, 0, setBytes(long(65), 1, 11)), nil, Rules, 0, 0},
	{"a long pairing", at(0, 0, setBytes(long(65), 1, 12)), nil, Rules, 0, 0},
	{"one seat", at(0, 0, leaveOut(1, 4)), nil, Rules, 0, 0},
	{"round cap 0", at(0, 0, setTo(0, 1, 3, 1)), nil, Rules, 0, 0},
	{"round cap 65", at(0, 0, setTo(65, 1, 3, 1)), nil, Rules, 0, 0},
	{"first player 2", at(0, 0, setTo(2, 1, 3, 2)), nil, Rules, 0, 0},
	{"goals in Azul", at(0, 0, setTo(1, 1, 3, 3)), nil, Rules, 0, 0},
	{"random goals in Azul", at(0, 0, setTo(3, 1, 3, 4)), nil, Rules, 0, 0},
	{"rated but not durable", at(0, 0, setTo(1, 1, 7)), nil, Rules, 0, 0},
	{"a fixed seed that was none", at(0, 0, setTo(1, 1, 8)), nil, Rules, 4, 4},
	{"a field of the future", at(0, 0, setTo(1, 1, 99)), nil, Draws, edgeLast, edgeSeed},
	{"a set-up with company", func(s *scribe) { s.frames[0] = append(s.frames[0], seatOnly(kindDisconnect, 0)) }, nil, Rules, 0, 1},
	{"two set-ups", func(s *scribe) { s.insert(1, s.frames[0][0]) }, nil, Rules, 1, 1},
}

var lobbyEdges = []edge{
	{"a record before the commitment", func(s *scribe) { s.insert(1, seatOnly(kindDisconnect, 0)) }, nil, Rules, 1, 1},
	{"a record before the commitment in its frame", func(s *scribe) {
		s.frames[1] = [][]byte{seatOnly(kindDisconnect, 0), s.frames[1][0]}
	}, nil, Rules, 1, 1},
	{"a short commitment", at(1, 0, setBytes(long(31), 2, 1)), nil, Rules, 1, 1},
	{"two commitments", func(s *scribe) { s.insert(2, s.frames[1][0]) }, nil, Rules, 2, 2},
	{"a disconnect of a free seat", func(s *scribe) { s.insert(2, seatOnly(kindDisconnect, 1)) }, nil, OK, -1, -1},
	{"a reconnect alone", func(s *scribe) { s.insert(6, seatOnly(kindReconnect, 1)) }, nil, OK, -1, -1},
	{"a disconnect of no seat", func(s *scribe) { s.insert(2, seatOnly(kindDisconnect, 2)) }, nil, Rules, 2, 2},
	{"a disconnect without a seat", func(s *scribe) { s.insert(2, rec(kindDisconnect, nil)) }, nil, Rules, 2, 2},
	{"a restart in the lobby", func(s *scribe) { s.insert(2, rec(kindRestart, enc(nil).varint(1, 2))) }, nil, OK, -1, -1},
	{"a restart into epoch 1", func(s *scribe) { s.insert(2, rec(kindRestart, enc(nil).varint(1, 1))) }, nil, Rules, 2, 2},
	{"a restart into an old epoch", func(s *scribe) {
		s.insert(2, rec(kindRestart, enc(nil).varint(1, 3)))
		s.insert(3, rec(kindRestart, enc(nil).varint(1, 3)))
	}, nil, Rules, 3, 3},
	{"a seat taken twice", at(3, 0, setTo(0, 3, 1)), nil, Rules, 3, 3},
	{"a name of 128 bytes", at(2, 0, setBytes(long(128), 3, 2)), nil, OK, -1, -1},
	{"a long name", at(2, 0, setBytes(long(129), 3, 2)), nil, Rules, 2, 2},
	{"a long kit", at(2, 0, setBytes(long(129), 3, 3)), nil, Rules, 2, 2},
	{"a name that is no text", at(2, 0, setBytes([]byte{0xff}, 3, 2)), nil, Corrupt, 2, -1},
	{"an x0 too short", at(4, 0, setBytes(long(31), 4, 2)), nil, Rules, 4, 4},
	{"an empty x0", at(4, 0, setBytes(nil, 4, 2)), nil, Rules, 4, 4},
	{"an x0 twice", func(s *scribe) { s.insert(5, s.frames[4][0]) }, nil, Rules, 5, 5},
	{"an x0 before joining", func(s *scribe) { s.frames[2], s.frames[4] = s.frames[4], s.frames[2] }, nil, Rules, 2, 2},
	{"a start without an x0", func(s *scribe) { s.frames = append(s.frames[:5:5], s.frames[6:]...) }, nil, Rules, 5, 5},
	{"a start without a seat", func(s *scribe) { s.frames = append(s.frames[:3:3], s.frames[6:]...) }, nil, Rules, 3, 3},
	{"a second start", func(s *scribe) { s.insert(7, s.frames[6][0]) }, nil, Rules, 7, 7},
	{"a no-show that came", func(s *scribe) { s.insert(6, outRecord(0, endNoShow)) }, nil, Rules, 6, 6},
	{"a resignation in the lobby", func(s *scribe) { s.insert(6, seatOnly(kindResign, 0)) }, nil, Rules, 6, 6},
	{"a record of nothing", func(s *scribe) { s.insert(6, nil) }, nil, Rules, 6, 6},
	{"a record of a later version", func(s *scribe) { s.insert(6, enc(nil).bytes(40, nil)) }, nil, Rules, 6, 6},
	{"a record of two kinds", at(2, 0, func(d []byte) []byte { return append(enc(nil).bytes(5, nil), d...) }), nil, OK, -1, -1},
}

func outRecord(seat uint64, reason uint32, times ...uint64) []byte {
	m := enc(nil).varint(1, seat).varint(2, uint64(reason))
	for i, t := range times {
		m = m.varint(3+i, t)
	}
	return rec(kindSeatOut, m)
}

var playEdges = []edge{
	{"a reveal of another round", at(edgeReveal, 0, setTo(2, 6, 2)), nil, Rules, 7, 7},
	{"a reveal twice", func(s *scribe) { s.insert(8, s.frames[7][0]) }, nil, Rules, 8, 8},
	{"a reveal without times", at(edgeReveal, 0, leaveOut(6, 4)), nil, Rules, 7, 7},
	{"a reveal of 31 bytes", at(edgeReveal, 0, setBytes(long(31), 6, 3)), nil, Rules, 7, 7},
	{"a reveal that opens nothing", at(edgeReveal, 0, setBytes(long(32), 6, 3)), nil, Rules, 7, 8},
	{"out by entropy for nothing", func(s *scribe) { s.frames[7] = append(s.frames[7], outRecord(0, endEntropy)) }, nil, Rules, 7, 8},
	{"a reveal on a turn", func(s *scribe) { s.insert(edgeMove, s.frames[7][0]) }, nil, Rules, 9, 10},
	{"a deal without a reveal", func(s *scribe) { s.frames[7] = append(s.frames[7], s.frames[8][1]) }, nil, Rules, 7, 8},
	{"a deal in a frame of its own", func(s *scribe) {
		s.insert(9, s.frames[8][1])
		s.frames[8] = s.frames[8][:1]
	}, nil, Rules, 8, 9},
	{"a deal of another round", at(edgeDeal, 1, setTo(2, 7, 1)), nil, Rules, 8, 9},
	{"a deal of no kind", at(edgeDeal, 1, setBytes(nil, 7, 2)), nil, Rules, 8, 9},
	{"a deal of Duel", at(edgeDeal, 1, setBytes(enc(nil).bytes(2, nil), 7, 2)), nil, Rules, 8, 9},
	{"a deal without a starter", at(edgeDeal, 1, leaveOut(7, 2, 1, 3)), nil, Rules, 8, 9},
	{"a deal with another starter", at(edgeDeal, 1, setTo(2, 7, 2, 1, 3)), nil, Rules, 8, 9},
	{"a deal with an extra tile", at(edgeDeal, 1, setTo(1, 7, 2, 1, 2)), nil, Rules, 8, 9},
	{"a deal with gold", at(edgeDeal, 1, setTo(1, 7, 2, 1, 4)), nil, Rules, 8, 9},
	{"a deal that cannot be", at(edgeDeal, 1, setBytes(enc(nil)[:0], 7, 2, 1, 1)), nil, Rules, 8, 9},
	{"a deal that was not drawn", func(s *scribe) {
		s.frames[8][1] = alter(s.frames[8][1], func(raw []byte) []byte {
			var d azulDeal
			_ = decode(&d, raw)
			d.factories[0], d.factories[1] = d.factories[1], d.factories[0]
			return enc(nil).fixed32s(1, d.factories)
		}, 7, 2, 1, 1)
		seed := s.frames[edgeLast][len(s.frames[edgeLast])-1]
		s.frames = append(s.frames[:9:9], [][]byte{rec(kindAborted, nil), seed})
	}, nil, Draws, 8, 9},
	{"a move without times", at(edgeMove, 0, leaveOut(8, 6)), nil, Rules, 9, 10},
	{"a move without a move", at(edgeMove, 0, leaveOut(8, 5)), nil, Rules, 9, 10},
	{"a move without bytes", at(edgeMove, 0, leaveOut(8, 4)), nil, Rules, 9, 10},
	{"a move without a seat", at(edgeMove, 0, leaveOut(8, 1)), nil, Rules, 9, 10},
	{"a move of a seat beyond 32 bits", at(edgeMove, 0, func(d []byte) []byte {
		var r record
		_ = decode(&r, d)
		return edit(d, 1<<32+uint64(*r.body.(*answerRecord).seat), 8, 1)
	}), nil, OK, -1, -1},
	{"a move on attempt 0", at(edgeMove, 0, setTo(0, 8, 3)), nil, Rules, 9, 10},
	{"a charge of one more", at(edgeMove, 0, setTo(1, 8, 6, 4)), nil, Clocks, 9, 10},
	{"an answer before the question", at(edgeMove, 0, setTo(1<<60, 8, 6, 1)), nil, Clocks, 9, 10},
	{"no bank", at(edgeMove, 0, leaveOut(8, 6, 5)), nil, Clocks, 9, 10},
	{"a flag out of turn", func(s *scribe) {
		cutAt(s, 9, outRecord(0, endTime, 1, 2, 3), outRecord(1, endTime, 1, 2, 3))
	}, nil, Rules, 9, 11},
	{"a flag too early", func(s *scribe) { cutAt(s, 9, outRecord(0, endTime, 1, 2, 3)) }, nil, Rules, 9, 11},
	{"out for no reason", func(s *scribe) { cutAt(s, 9, outRecord(0, 0)) }, nil, Rules, 9, 10},
	{"out by an illegal move for nothing", func(s *scribe) { cutAt(s, 9, outRecord(0, endIllegalMove)) }, nil, Rules, 9, 10},
	{"a resignation without an end", func(s *scribe) { cutAt(s, 9, seatOnly(kindResign, 0)) }, nil, Rules, 9, 11},
	{"a refusal of nothing", func(s *scribe) { cutAt(s, 9, refusal(0, 1, 1, nil, malformed)) }, nil, Incomplete, -1, -1},
	{"a refusal for another reason", func(s *scribe) { cutAt(s, 9, refusal(0, 1, 1, nil, unparsable)) }, nil, Rules, 9, 10},
	{"a refusal of a legal move", func(s *scribe) { cutAt(s, 9, refusal(0, 1, 1, enc(nil).varint(2, 0), noSuchIndex)) }, nil, Rules, 9, 10},
	{"a refusal of 65536 bytes", func(s *scribe) { cutAt(s, 9, refusal(0, 1, 1, make([]byte, 65536), unparsable)) }, nil, Incomplete, -1, -1},
	{"a refusal of 65537 bytes", func(s *scribe) { cutAt(s, 9, refusal(0, 1, 1, make([]byte, 65537), unparsable)) }, nil, Rules, 9, 10},
	{"a last strike without an end", func(s *scribe) {
		cutAt(s, 9, refusal(0, 1, 1, nil, malformed))
		s.frame(refusal(0, 1, 2, nil, malformed))
	}, nil, Rules, 10, 12},
	{"a third strike", func(s *scribe) {
		cutAt(s, 9, refusal(0, 1, 1, nil, malformed))
		s.frame(refusal(0, 1, 2, nil, malformed))
		s.follow(refusal(0, 1, 3, nil, malformed))
	}, nil, Rules, 10, 12},
}

// cutAt ends a match in frame i with some records, unsigned.
func cutAt(s *scribe, i int, records ...[]byte) {
	s.frames = append(s.frames[:i:i], records)
	s.unsign = true
}

func refusal(seat, turn, attempt uint64, action []byte, reason uint32) []byte {
	return rec(kindRejected, enc(nil).varint(1, seat).varint(2, turn).varint(3, attempt).
		bytes(4, action).varint(5, uint64(reason)).varint(6, 9_000_000_000))
}

var endEdges = []edge{
	{"an end without a seed", func(s *scribe) { last(s, 0) }, nil, Rules, edgeLast, edgeSeed},
	{"a short seed", func(s *scribe) { last(s, 0, rec(kindSeedReveal, enc(nil).bytes(1, long(31)))) }, nil, Rules, edgeLast, edgeSeed},
	{"another seed", func(s *scribe) { last(s, 0, rec(kindSeedReveal, enc(nil).bytes(1, long(32)))) }, nil, Draws, edgeLast, edgeSeed},
	{"a seed lost after an end", func(s *scribe) { last(s, 0, rec(kindSecretLost, nil)) }, nil, Rules, edgeLast, edgeSeed},
	{"a restart after the seed", func(s *scribe) { s.frame(rec(kindRestart, enc(nil).varint(1, 2))) }, nil, Rules, edgeLast + 1, edgeSeed + 1},
	{"a disconnect after the seed", func(s *scribe) { s.frame(seatOnly(kindDisconnect, 1)) }, nil, Rules, edgeLast + 1, edgeSeed + 1},
	{"a second end", func(s *scribe) { s.frame(rec(kindAborted, nil)) }, nil, Rules, edgeLast + 1, edgeSeed + 1},
	{"no result", func(s *scribe) { last(s, 1, s.frames[edgeLast][len(s.frames[edgeLast])-1]) }, nil, Rules, edgeLast, edgeSeed - 1},
	{"a signature in company", func(s *scribe) {
		s.follow(rec(kindSignature, enc(nil).bytes(1, long(32)).bytes(2, long(64))))
		s.unsign = true
	}, nil, Rules, edgeLast, edgeSeed + 1},
	{"voided in the lobby", func(s *scribe) { stopAt(s, 2, rec(kindVoided, nil), true) }, nil, OK, -1, -1},
	{"aborted in the lobby", func(s *scribe) { stopAt(s, 3, rec(kindAborted, nil), true) }, nil, OK, -1, -1},
	{"aborted before the commitment", func(s *scribe) { stopAt(s, 1, rec(kindAborted, nil), true) }, nil, Rules, 1, 1},
	{"aborted with details of 1024 bytes", func(s *scribe) {
		stopAt(s, 12, rec(kindAborted, enc(nil).bytes(1, long(1024))), true)
	}, nil, OK, -1, -1},
	{"aborted with long details", func(s *scribe) {
		stopAt(s, 12, rec(kindAborted, enc(nil).bytes(1, long(1025))), true)
	}, nil, Rules, 12, 13},
	{"aborted and lost", func(s *scribe) { stopAt(s, 12, rec(kindAborted, nil), false) }, nil, Rules, 12, 14},
	{"voided and lost", func(s *scribe) { stopAt(s, 12, rec(kindVoided, nil), false) }, nil, Draws, 12, 14},
	{"signed in the middle", func(s *scribe) { s.frames = s.frames[:12] }, nil, Rules, 12, 13},
	{"another hour of the end", func(s *scribe) {
		s.frames[edgeLast][len(s.frames[edgeLast])-2] = edit(s.frames[edgeLast][len(s.frames[edgeLast])-2], 5, 16, 3)
	}, nil, OK, -1, -1},
	{"a bonus of another name", func(s *scribe) {
		s.frames[edgeLast][len(s.frames[edgeLast])-2] = put(s.frames[edgeLast][len(s.frames[edgeLast])-2], []byte("row"), 16, 2, 3, 1)
	}, nil, Result, edgeLast, edgeSeed - 1},
	{"a rank too many", func(s *scribe) {
		s.frames[edgeLast][len(s.frames[edgeLast])-2] = edit(s.frames[edgeLast][len(s.frames[edgeLast])-2], 3, 16, 2, 2)
	}, nil, Result, edgeLast, edgeSeed - 1},
}

// last replaces the seed and, if told so, the result at the end of a match.
func last(s *scribe, more int, records ...[]byte) {
	end := s.frames[edgeLast]
	s.frames[edgeLast] = append(end[:len(end)-1-more:len(end)-1-more], records...)
}

// stopAt ends a match in frame i, with its seed or with the loss of it.
func stopAt(s *scribe, i int, record []byte, open bool) {
	seed := s.frames[edgeLast][len(s.frames[edgeLast])-1]
	if !open {
		seed = rec(kindSecretLost, nil)
	}
	s.frames = append(s.frames[:i:i], [][]byte{record, seed})
}
