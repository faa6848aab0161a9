package verify

import (
	"encoding/binary"
	"errors"
	"unicode/utf8"
)

// The wire types of protobuf. Groups are long out of use, but strangers may
// still send them, and then they are unknown fields that have to be skipped.
const (
	wireVarint     = 0
	wireFixed64    = 1
	wireBytes      = 2
	wireStartGroup = 3
	wireEndGroup   = 4
	wireFixed32    = 5
)

const (
	maxVarint  = 10  // bytes of a value
	maxPrefix  = 5   // bytes of a tag or a length, which have 32 bits
	maxNesting = 100 // messages and groups within each other
)

var errWire = errors.New("not a protobuf message")

// field is one field of a message as it stands on the wire. Its value lies in
// number for varints and fixed ones, in bytes for everything with a length.
type field struct {
	id     uint32
	wire   uint8
	number uint64
	bytes  []byte
	depth  int // of the message that it stands in
}

// message is anything that can take in fields one by one. That a message takes
// in fields, instead of being built from them, is what makes a submessage that
// stands twice on the wire come out merged, as protobuf wants it.
type message interface {
	take(f field) error
}

// decode reads data into m. A field of an unknown number, or of a wire type
// that its number does not have, is for m to pass over.
func decode(m message, data []byte) error {
	return decodeAt(m, data, 0)
}

func decodeAt(m message, data []byte, depth int) error {
	if depth > maxNesting {
		return errWire
	}
	for len(data) > 0 {
		f, rest, err := nextField(data, depth)
		if err != nil {
			return err
		}
		if err := m.take(f); err != nil {
			return err
		}
		data = rest
	}
	return nil
}

// nextField reads one field, a whole group included.
func nextField(data []byte, depth int) (f field, rest []byte, err error) {
	tag, data, err := readPrefix(data)
	if err != nil {
		return f, nil, err
	}
	f.id, f.wire, f.depth = tag>>3, uint8(tag&7), depth
	if f.id == 0 {
		return f, nil, errWire
	}
	switch f.wire {
	case wireVarint:
		f.number, data, err = readVarint(data)
		return f, data, err
	case wireFixed64:
		if len(data) < 8 {
			return f, nil, errWire
		}
		f.number = binary.LittleEndian.Uint64(data)
		return f, data[8:], nil
	case wireFixed32:
		if len(data) < 4 {
			return f, nil, errWire
		}
		f.number = uint64(binary.LittleEndian.Uint32(data))
		return f, data[4:], nil
	case wireBytes:
		size, data, err := readPrefix(data)
		if err != nil || uint64(size) > uint64(len(data)) {
			return f, nil, errWire
		}
		f.bytes = data[:size]
		return f, data[size:], nil
	case wireStartGroup:
		rest, err = skipGroup(data, f.id, depth+1)
		return f, rest, err
	}
	return f, nil, errWire
}

// skipGroup passes over the fields of a group and the tag that ends it.
func skipGroup(data []byte, id uint32, depth int) ([]byte, error) {
	if depth > maxNesting {
		return nil, errWire
	}
	for {
		tag, after, err := readPrefix(data)
		if err != nil {
			return nil, err
		}
		if tag&7 == wireEndGroup {
			if tag>>3 != id {
				return nil, errWire
			}
			return after, nil
		}
		if _, data, err = nextField(data, depth); err != nil {
			return nil, err
		}
	}
}

// readPrefix reads a tag or a length: a varint of at most five bytes that fits
// into 32 bits.
func readPrefix(data []byte) (uint32, []byte, error) {
	var value uint64
	for i := 0; i < maxPrefix && i < len(data); i++ {
		value |= uint64(data[i]&0x7f) << (7 * i)
		if data[i] < 0x80 {
			if value > 1<<32-1 {
				return 0, nil, errWire
			}
			return uint32(value), data[i+1:], nil
		}
	}
	return 0, nil, errWire
}

// readVarint reads a value of at most ten bytes. Bits beyond 64 are dropped.
func readVarint(data []byte) (uint64, []byte, error) {
	var value uint64
	for i := 0; i < maxVarint && i < len(data); i++ {
		value |= uint64(data[i]&0x7f) << (7 * i)
		if data[i] < 0x80 {
			return value, data[i+1:], nil
		}
	}
	return 0, nil, errWire
}

// The setters below take a field in if it has the wire type that its number
// should have, and otherwise pass over it, as over any unknown field.

func (f field) u32(to *uint32) {
	if f.wire == wireVarint {
		*to = uint32(f.number)
	}
}

func (f field) u64(to *uint64) {
	if f.wire == wireVarint {
		*to = f.number
	}
}

func (f field) flag(to *bool) {
	if f.wire == wireVarint {
		*to = f.number != 0
	}
}

func (f field) optional32(to **uint32) {
	if f.wire == wireVarint {
		value := uint32(f.number)
		*to = &value
	}
}

func (f field) optional64(to **uint64) {
	if f.wire == wireVarint {
		value := f.number
		*to = &value
	}
}

func (f field) blob(to *[]byte) {
	if f.wire == wireBytes {
		*to = f.bytes
	}
}

func (f field) text(to *string) error {
	if f.wire != wireBytes {
		return nil
	}
	if !utf8.Valid(f.bytes) {
		return errWire
	}
	*to = string(f.bytes)
	return nil
}

// sub reads a submessage into m.
func (f field) sub(m message) error {
	if f.wire != wireBytes {
		return nil
	}
	return f.into(m)
}

// into reads the bytes of a field into a message one level deeper.
func (f field) into(m message) error {
	return decodeAt(m, f.bytes, f.depth+1)
}

// list32 appends the values of a repeated varint field, packed or not.
func (f field) list32(to *[]uint32) error {
	switch f.wire {
	case wireVarint:
		*to = append(*to, uint32(f.number))
	case wireBytes:
		for data := f.bytes; len(data) > 0; {
			value, rest, err := readVarint(data)
			if err != nil {
				return err
			}
			*to, data = append(*to, uint32(value)), rest
		}
	}
	return nil
}

// fixed32s appends the values of a repeated fixed32 field, packed or not.
func (f field) fixed32s(to *[]uint32) error {
	switch f.wire {
	case wireFixed32:
		*to = append(*to, uint32(f.number))
	case wireBytes:
		if len(f.bytes)%4 != 0 {
			return errWire
		}
		for data := f.bytes; len(data) > 0; data = data[4:] {
			*to = append(*to, binary.LittleEndian.Uint32(data))
		}
	}
	return nil
}
