package verify

import (
	"encoding/binary"
	"hash/crc32"
)

// tail tells what lies after the last good frame.
type tail int

const (
	tailNone    tail = iota // nothing, the file ends at a frame
	tailTorn                // the rest of one interrupted write
	tailCorrupt             // something that no interrupted write leaves
)

// smallestFrame is the size of a frame with a body of one byte.
const smallestFrame = headSize + 1 + linkSize

// tailOf judges the bytes that stand where the frame next should. They are torn
// unless they are too many for one write or have the head of a later frame.
func tailOf(rest []byte, match matchID, next int) tail {
	if len(rest) > maxFrame || findsLaterHead(rest, match, next) {
		return tailCorrupt
	}
	return tailTorn
}

// findsLaterHead tells whether a head of a frame after next stands anywhere in
// rest. As many indices are tried as frames of the smallest size would fit.
//
// For every place the index is asked for, not every index tried: the CRC of
// texts of one length is an affine map of the bits that change, so the CRC of
// (index, length) is that of zeros, changed by what the index adds and by what
// the length adds. A table of what each index adds finds the fitting one.
func findsLaterHead(rest []byte, match matchID, next int) bool {
	if len(rest) < headSize {
		return false
	}
	zero := headCRC(match, 0, []byte{0, 0, 0, 0})
	indices := make(map[uint32]struct{})
	for j := next + 1; j <= next+1+len(rest)/smallestFrame; j++ {
		indices[headCRC(match, uint64(j), []byte{0, 0, 0, 0})^zero] = struct{}{}
	}
	var bare [4]byte
	none := crc32.ChecksumIEEE(bare[:])
	for at := 0; at+headSize <= len(rest); at++ {
		length := rest[at : at+4]
		if n := binary.BigEndian.Uint32(length); n < 1 || n > maxBody {
			continue
		}
		crc := binary.BigEndian.Uint32(rest[at+4:])
		adds := crc32.ChecksumIEEE(length) ^ none
		if _, ok := indices[crc^zero^adds]; ok {
			return true
		}
	}
	return false
}
