package verify

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"hash/crc32"

	"azulreferee/draws"
)

const (
	headerSize = 28
	headSize   = 8
	linkSize   = 32

	maxBody    = 1 << 20
	maxFrame   = headSize + maxBody + linkSize
	maxFile    = 64 << 20
	maxRecords = 100_000
	maxInFrame = 4096 // records
)

var magic = []byte{0x89, 0x41, 0x5A, 0x52, 0x0D, 0x0A, 0x1A, 0x0A}

// preface is the part of a header that is the same in every file: the magic,
// version 1 and no flags.
var preface = append(bytes.Clone(magic), 0, 1, 0, 0)

type matchID [16]byte

// frame is one good frame and what it holds.
type frame struct {
	link    [32]byte // that of this frame
	records []*record
}

// file is what the good frames of a transcript hold, and how it ends.
type file struct {
	match  matchID
	frames []frame
	tail   tail
	broken []Failure // of the levels frames and chain, at most one each
}

// readFile splits data into frames and reads their bodies. It reports false if
// data is no transcript at all.
func readFile(data []byte) (*file, bool) {
	if len(data) < headerSize {
		f := &file{tail: tailTorn}
		f.fail(LevelFrames, 0, "a header of 28 bytes", fmt.Sprintf("%d bytes", len(data)))
		n := min(len(data), len(preface))
		return f, bytes.Equal(data[:n], preface[:n])
	}
	if !bytes.Equal(data[:len(preface)], preface) {
		return nil, false
	}
	f := &file{match: matchID(data[len(preface):headerSize])}
	f.walk(data)
	return f, true
}

// walk goes from frame to frame while they are good.
func (f *file) walk(data []byte) {
	link := genesis(f.match)
	records := 0
	for rest := data[headerSize:]; len(rest) > 0; {
		i := len(f.frames)
		size, trouble := checkFrame(rest, f.match, i, link)
		if trouble != nil {
			f.stop(rest, i, trouble)
			return
		}
		var body frameBody
		err := decode(&body, rest[headSize:size-linkSize])
		if n := len(body.records); err != nil || n == 0 || n > maxInFrame {
			f.tail = tailCorrupt
			f.fail(LevelFrames, i, "a body with 1 to 4096 records", fmt.Sprintf("one with %d", n))
			return
		}
		if records += len(body.records); records > maxRecords {
			f.tail = tailCorrupt
			f.fail(LevelFrames, i, "at most 100000 records", fmt.Sprintf("%d records", records))
			return
		}
		link = [32]byte(rest[size-linkSize : size])
		f.frames = append(f.frames, frame{link: link, records: body.records})
		rest = rest[size:]
	}
}

// signature returns the first frame that holds a signature and nothing else,
// or -1.
func (f *file) signature() int {
	for i, frame := range f.frames {
		if len(frame.records) == 1 && frame.records[0].kind == kindSignature {
			return i
		}
	}
	return -1
}

// trouble says what is wrong with a frame that is not good.
type trouble struct {
	linkOnly        bool // head and length are right
	expected, found string
}

// checkHead looks at the head of the frame that data begins with and returns
// the size of that frame.
func checkHead(data []byte, match matchID, index int) (int, *trouble) {
	if len(data) < headSize {
		return 0, &trouble{expected: "a head of 8 bytes", found: fmt.Sprintf("%d bytes", len(data))}
	}
	length := binary.BigEndian.Uint32(data)
	if length < 1 || length > maxBody {
		return 0, &trouble{expected: "a length of 1 to 1048576", found: fmt.Sprint(length)}
	}
	crc := headCRC(match, uint64(index), data[:4])
	if found := binary.BigEndian.Uint32(data[4:]); found != crc {
		return 0, &trouble{
			expected: fmt.Sprintf("CRC %08x", crc), found: fmt.Sprintf("CRC %08x", found),
		}
	}
	size := headSize + int(length) + linkSize
	if len(data) < size {
		return 0, &trouble{
			expected: fmt.Sprintf("a frame of %d bytes", size),
			found:    fmt.Sprintf("%d bytes", len(data)),
		}
	}
	return size, nil
}

// checkFrame looks at head and link of the frame that data begins with.
func checkFrame(data []byte, match matchID, index int, before [32]byte) (int, *trouble) {
	size, t := checkHead(data, match, index)
	if t != nil {
		return 0, t
	}
	want := linkOf(match, uint64(index), before, data[:size-linkSize])
	if found := data[size-linkSize : size]; !bytes.Equal(want[:], found) {
		return 0, &trouble{
			linkOnly: true,
			expected: fmt.Sprintf("link %x", want), found: fmt.Sprintf("link %x", found),
		}
	}
	return size, nil
}

// stop says how a file ends whose frame i is not good. If only its link is
// wrong, the heads after it are still looked at, for they have a level of
// their own.
func (f *file) stop(rest []byte, i int, t *trouble) {
	f.tail = tailOf(rest, f.match, i)
	if f.signature() >= 0 {
		f.tail = tailCorrupt
	}
	if f.tail == tailTorn || !t.linkOnly {
		f.fail(LevelFrames, i, t.expected, t.found)
		return
	}
	f.fail(LevelChain, i, t.expected, t.found)
	for len(rest) > 0 {
		size, t := checkHead(rest, f.match, i)
		if t != nil {
			f.fail(LevelFrames, i, t.expected, t.found)
			return
		}
		rest = rest[size:]
		i++
	}
}

func (f *file) fail(level Level, frame int, expected, found string) {
	f.broken = append(f.broken, Failure{
		Level: level, Frame: frame, Record: -1, Expected: expected, Found: found,
	})
}

// genesis is the link before the first frame.
func genesis(match matchID) [32]byte {
	return sha256.Sum256(append(draws.Tag("genesis"), match[:]...))
}

// linkOf returns the link of a frame, of which framed holds head and body.
func linkOf(match matchID, index uint64, before [32]byte, framed []byte) [32]byte {
	h := sha256.New()
	h.Write(draws.Tag("frame"))
	h.Write(match[:])
	h.Write(binary.BigEndian.AppendUint64(nil, index))
	h.Write(before[:])
	h.Write(framed[:4])
	h.Write(framed[headSize:])
	return [32]byte(h.Sum(nil))
}

// headCRC returns the CRC that belongs beside the four bytes of a length.
func headCRC(match matchID, index uint64, length []byte) uint32 {
	var text [28]byte
	copy(text[:], match[:])
	binary.BigEndian.PutUint64(text[16:], index)
	copy(text[24:], length)
	return crc32.ChecksumIEEE(text[:])
}
