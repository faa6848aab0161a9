"""What the live referee keeps on disk: the journal, transcripts, secrets, debug logs.

This package knows bytes, files and threads. It knows no gRPC, no event loop and no rules: a
frame is bytes to it, and a match is an id of 16 bytes (docs/service.md, "Durability").
"""
