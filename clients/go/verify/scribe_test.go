package verify

import (
	"bytes"
	"crypto/ed25519"
	"encoding/binary"
)

// enc is a protobuf message that is being written.
type enc []byte

func (e enc) varint(id int, value uint64) enc {
	e = binary.AppendUvarint(e, uint64(id)<<3|wireVarint)
	return binary.AppendUvarint(e, value)
}

// number writes a field that is absent when it is 0, as proto3 does.
func (e enc) number(id int, value uint64) enc {
	if value == 0 {
		return e
	}
	return e.varint(id, value)
}

func (e enc) bytes(id int, value []byte) enc {
	e = binary.AppendUvarint(e, uint64(id)<<3|wireBytes)
	e = binary.AppendUvarint(e, uint64(len(value)))
	return append(e, value...)
}

func (e enc) text(id int, value string) enc {
	return e.bytes(id, []byte(value))
}

func (e enc) fixed32s(id int, values []uint32) enc {
	var packed []byte
	for _, value := range values {
		packed = binary.LittleEndian.AppendUint32(packed, value)
	}
	return e.bytes(id, packed)
}

func (e enc) packed(id int, values []uint32) enc {
	var packed []byte
	for _, value := range values {
		packed = binary.AppendUvarint(packed, uint64(value))
	}
	return e.bytes(id, packed)
}

// rec writes a record of a kind.
func rec(k kind, body enc) []byte {
	return enc(nil).bytes(int(k), body)
}

// scribe writes a transcript. Its frames are kept as lists of records until the
// end, so that a test can damage them and have all links and the signature fit.
type scribe struct {
	match  matchID
	key    ed25519.PrivateKey
	frames [][][]byte
	unsign bool // leave the signature away
	lost   bool // the seed was lost
}

// frame begins a frame with a record.
func (s *scribe) frame(record []byte) {
	s.frames = append(s.frames, [][]byte{record})
}

// follow adds a record to the last frame.
func (s *scribe) follow(record []byte) {
	last := len(s.frames) - 1
	s.frames[last] = append(s.frames[last], record)
}

func (s *scribe) public() []byte {
	return s.key.Public().(ed25519.PublicKey)
}

// file writes header, frames and signature.
func (s *scribe) file() []byte {
	bodies := make([][]byte, 0, len(s.frames)+1)
	for _, records := range s.frames {
		var body enc
		for _, record := range records {
			body = body.bytes(1, record)
		}
		bodies = append(bodies, body)
	}
	return s.bind(bodies)
}

// bind writes a file with the given bodies and, unless told not to, a signature.
func (s *scribe) bind(bodies [][]byte) []byte {
	out := append(bytes.Clone(preface), s.match[:]...)
	link := genesis(s.match)
	for i, body := range bodies {
		out, link = appendFrame(out, s.match, i, link, body)
	}
	if s.unsign {
		return out
	}
	n := len(bodies)
	signature := ed25519.Sign(s.key, signedText(s.match, n, link))
	record := rec(kindSignature, enc(nil).bytes(1, s.public()).bytes(2, signature))
	out, _ = appendFrame(out, s.match, n, link, enc(nil).bytes(1, record))
	return out
}

func appendFrame(out []byte, match matchID, i int, link [32]byte, body []byte) ([]byte, [32]byte) {
	var framed []byte
	framed = binary.BigEndian.AppendUint32(framed, uint32(len(body)))
	framed = binary.BigEndian.AppendUint32(framed, headCRC(match, uint64(i), framed[:4]))
	framed = append(framed, body...)
	next := linkOf(match, uint64(i), link, framed)
	out = append(out, framed...)
	return append(out, next[:]...), next
}
