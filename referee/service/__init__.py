"""The live referee: gRPC, streams, storage, and who may do what."""
