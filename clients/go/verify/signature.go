package verify

import (
	"bytes"
	"crypto/ed25519"
	"encoding/binary"
	"fmt"
)

const signedType = "application/vnd.azul-referee.final.v1"

// signature checks the frame that signs, if there is one. That nothing follows
// it, and that a set-up has a key to compare with, is for the rules to see.
func (v *verifier) signature(s *setup) {
	n := v.file.signature()
	fail := func(expected, found string) {
		v.fail(Failure{
			Level: LevelSignature, Frame: n, Record: -1, Expected: expected, Found: found,
		})
	}
	if n < 0 {
		v.report.Levels[LevelSignature] = StatusIncomplete
		if v.file.tail == tailCorrupt {
			v.report.Levels[LevelSignature] = StatusNotChecked
		}
		return
	}
	record := v.file.frames[n].records[0].body.(*signatureRecord)
	key := record.publicKey
	switch pinned := v.options.Key; {
	case pinned != nil && !bytes.Equal(key, pinned):
		fail(fmt.Sprintf("the pinned key %x", pinned), fmt.Sprintf("key %x", key))
	case s != nil && !bytes.Equal(key, s.publicKey):
		fail(fmt.Sprintf("key %x of the set-up", s.publicKey), fmt.Sprintf("key %x", key))
	case len(key) != ed25519.PublicKeySize:
		fail("a key of 32 bytes", fmt.Sprintf("%d bytes", len(key)))
	case len(record.signature) != ed25519.SignatureSize:
		fail("a signature of 64 bytes", fmt.Sprintf("%d bytes", len(record.signature)))
	case !ed25519.Verify(key, signedText(v.file.match, n, v.linkBefore(n)), record.signature):
		fail(fmt.Sprintf("a signature by %x", key), "one that does not fit")
	default:
		v.report.Levels[LevelSignature] = StatusOK
	}
}

// linkBefore returns the link that frame n was built upon.
func (v *verifier) linkBefore(n int) [32]byte {
	if n == 0 {
		return genesis(v.file.match)
	}
	return v.file.frames[n-1].link
}

// signedText returns what a signature in frame n signs.
func signedText(match matchID, n int, before [32]byte) []byte {
	body := append([]byte(nil), match[:]...)
	body = binary.BigEndian.AppendUint64(body, uint64(n))
	body = append(body, before[:]...)
	text := fmt.Appendf(nil, "DSSEv1 %d %s %d ", len(signedType), signedType, len(body))
	return append(text, body...)
}
