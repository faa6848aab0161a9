"""Every limit of the service, in one place; docs/operating.md publishes them.

A limit is there because somebody will reach it on purpose. What is meant for one match or one
stream costs only that match or that stream when it is reached.
"""

from typing import Final

KIB: Final = 1 << 10
SECOND_NS: Final = 1_000_000_000

# What one frame of an agent may hold.
MAX_FRAME_BYTES: Final = 64 * KIB
MAX_FRAME_MESSAGES: Final = 1_024
MAX_METADATA_BYTES: Final = 8 * KIB
# What one stream may hold.
MAX_MATCHES_PER_STREAM: Final = 1_024
MAX_OUTBOX_BYTES: Final = 8 << 20
MAX_STREAMS: Final = 4_096
MAX_STREAMS_PER_CONNECTION: Final = 200
# Each takes a descriptor, and files need some as well.
MAX_CONNECTIONS: Final = 8_192
# Calls that wait to be looked at, of everybody.
MAX_PENDING_CALLS: Final = 50_000
# What an agent may say to no effect: so many at once, so many a second in the long run. What
# moves a match forward is not counted, the referee asks for it.
IDLE_BURST: Final = 400
IDLE_PER_SECOND: Final = 40
# Moves off turn and their like, of one seat in one match.
MAX_REFUSALS: Final = 50
# Messages of one seat that wait for the last frame of their match.
MAX_INBOX: Final = 64
MAX_DEBUG_BYTES: Final = 4 * KIB

# Of one agent in the queue: streams that wait, and how often it may come anew. Whoever leaves
# while a match is made for it costs the disk that match.
MAX_QUEUED_PER_AGENT: Final = 16
QUEUE_BURST: Final = 100
QUEUE_PER_SECOND: Final = 1

# Of matches and calls.
MAX_OPEN_MATCHES: Final = 10_000
# Matches that are over and were asked for last, ready to be told.
MAX_FINISHED_KEPT: Final = 64
MAX_WATCHERS: Final = 10_000
# Of one caller that is no organiser, and what all of those leave to organisers.
MAX_WATCHERS_PER_CALLER: Final = 256
WATCHERS_KEPT_FREE: Final = 500
MAX_WATCH_EVENTS: Final = 256
MAX_TRANSCRIPT_PIECE: Final = 1 << 20
MAX_PAGE: Final = 200
PAGE: Final = 50
# Of one caller that is no organiser: by its bearer, or by its address if it has none.
CALLS_BURST: Final = 200
CALLS_PER_SECOND: Final = 100
# Streams that say hello: hundreds of agents may come back at once to one address.
STREAMS_BURST: Final = 4_096
STREAMS_PER_SECOND: Final = 100
MAX_CALLERS: Final = 10_000

# Times.
PING_NS: Final = 15 * SECOND_NS
SILENCE_NS: Final = 45 * SECOND_NS
HELLO_NS: Final = 10 * SECOND_NS
HANDSHAKE_NS: Final = 10 * SECOND_NS
# A spectator that does not read what it was sent.
WATCH_READ_NS: Final = 60 * SECOND_NS
# A connection without a call.
UNUSED_NS: Final = 300 * SECOND_NS
MAX_SPECTATOR_DELAY_NS: Final = 3_600 * SECOND_NS
