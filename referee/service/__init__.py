"""The live referee: matches over gRPC, and the disk that they are kept on."""
