// Package draws implements the provable draws of the referee: the commitments,
// the keys derived from them, and the random streams that decide every tile.
//
// Integers are big-endian, seats are numbered from 0 and rounds from 1. Every
// hash is SHA-256 and every MAC is HMAC-SHA-256, each over a tag naming its use.
package draws

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
)

// ChainLength is the number of reveals an agent chain holds: x_1 to x_64.
const ChainLength = 64

// maxSeats is what fits into the one byte that counts the seats.
const maxSeats = 255

var noValue [33]byte // stands for a seat that gives no value

// Tag returns T(s), the prefix that separates the uses of the hash functions.
func Tag(s string) []byte {
	return append([]byte("azul-referee/1/"+s), 0)
}

// SetupHash returns the hash of the serialized Setup.
func SetupHash(setup []byte) [32]byte {
	return hash("setup", setup)
}

// ServerCommit returns the referee's commitment to its seed.
func ServerCommit(matchID [16]byte, setupHash, serverSeed [32]byte) [32]byte {
	return hash("server-commit", matchID[:], setupHash[:], serverSeed[:])
}

// AgentRoot returns x_64 of an agent that derives its chains from one secret.
func AgentRoot(secret [32]byte, matchID [16]byte, seat uint8, serverCommit [32]byte) [32]byte {
	return mac(secret, "agent-root", matchID[:], []byte{seat}, serverCommit[:])
}

// ChainStep returns x_(i-1), given x_i.
func ChainStep(matchID [16]byte, seat uint8, serverCommit [32]byte, i uint32, x [32]byte) [32]byte {
	return hash("agent-chain", matchID[:], []byte{seat}, serverCommit[:], u32(i), x[:])
}

// Chain returns the whole agent chain that ends in root; element i is x_i.
func Chain(matchID [16]byte, seat uint8, serverCommit, root [32]byte) [ChainLength + 1][32]byte {
	var chain [ChainLength + 1][32]byte
	chain[ChainLength] = root
	for i := ChainLength; i > 0; i-- {
		chain[i-1] = ChainStep(matchID, seat, serverCommit, uint32(i), chain[i])
	}
	return chain
}

// MatchKey returns the key of a match. Each element of commits is the x_0 of a
// seat, or nil for a seat that committed none.
func MatchKey(serverSeed [32]byte, matchID [16]byte, setupHash [32]byte, commits []*[32]byte) ([32]byte, error) {
	seats, err := seatValues(commits)
	if err != nil {
		return [32]byte{}, err
	}
	return mac(serverSeed, "match-key", matchID[:], setupHash[:], seats), nil
}

// FixedMatchKey returns the key of a match whose seed is fixed.
func FixedMatchKey(seed [32]byte) [32]byte {
	return mac(seed, "fixed-key")
}

// RoundKey returns the key of a round, counted from 1. Each element of reveals
// is the x_r of a seat, or nil for a seat that is out or committed none. With a
// fixed seed all of them are nil.
func RoundKey(matchKey [32]byte, round uint32, reveals []*[32]byte) ([32]byte, error) {
	if round == 0 {
		return [32]byte{}, errors.New("draws: rounds are counted from 1")
	}
	seats, err := seatValues(reveals)
	if err != nil {
		return [32]byte{}, err
	}
	return mac(matchKey, "round-key", u32(round), seats), nil
}

// PlayerSeed returns the private seed of a seat.
func PlayerSeed(serverSeed [32]byte, matchID [16]byte, seat uint8) [8]byte {
	sum := mac(serverSeed, "player-seed", matchID[:], []byte{seat})
	return [8]byte(sum[:8])
}

// FixedPlayerSeed returns the private seed of a seat when the seed is fixed.
func FixedPlayerSeed(seed [32]byte, seat uint8) [8]byte {
	sum := mac(seed, "fixed-player", []byte{seat})
	return [8]byte(sum[:8])
}

// seatValues encodes the number of seats and what each of them gives.
func seatValues(values []*[32]byte) ([]byte, error) {
	if len(values) < 1 || len(values) > maxSeats {
		return nil, fmt.Errorf("draws: %d seats, want 1 to %d", len(values), maxSeats)
	}
	out := []byte{byte(len(values))}
	for _, x := range values {
		if x == nil {
			out = append(out, noValue[:]...)
			continue
		}
		out = append(out, 1)
		out = append(out, x[:]...)
	}
	return out, nil
}

func hash(tag string, parts ...[]byte) [32]byte {
	message := Tag(tag)
	for _, part := range parts {
		message = append(message, part...)
	}
	return sha256.Sum256(message)
}

func mac(key [32]byte, tag string, parts ...[]byte) [32]byte {
	h := hmac.New(sha256.New, key[:])
	h.Write(Tag(tag))
	for _, part := range parts {
		h.Write(part)
	}
	return [32]byte(h.Sum(nil))
}

func u32(n uint32) []byte {
	return binary.BigEndian.AppendUint32(nil, n)
}
