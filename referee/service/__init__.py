"""The live referee: gRPC streams and calls, seats, clocks, and what it keeps on disk."""
