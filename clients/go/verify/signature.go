package verify

import (
	"bytes"
	"crypto/ed25519"
	"encoding/binary"
	"fmt"
)

const signedType = "application/vnd.azul-referee.final.v1"

// signature checks the frame that signs, if there is one. That nothing follows
// it is for the other levels to see.
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
	switch {
	case v.options.Key != nil && !bytes.Equal(v.options.Key, record.publicKey):
		fail(fmt.Sprintf("the pinned key %x", v.options.Key), fmt.Sprintf("key %x", record.publicKey))
	case s == nil:
		fail("a set-up with the key", "none")
	case !bytes.Equal(record.publicKey, s.publicKey):
		fail(fmt.Sprintf("key %x of the set-up", s.publicKey), fmt.Sprintf("key %x", record.publicKey))
	case len(s.publicKey) != ed25519.PublicKeySize:
		fail("a key of 32 bytes", fmt.Sprintf("%d bytes", len(s.publicKey)))
	case len(record.signature) != ed25519.SignatureSize:
		fail("a signature of 64 bytes", fmt.Sprintf("%d bytes", len(record.signature)))
	case !ed25519.Verify(s.publicKey, signedText(v.file.match, n, v.linkBefore(n)), record.signature):
		fail(fmt.Sprintf("a signature by %x", s.publicKey), "one that does not fit")
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
