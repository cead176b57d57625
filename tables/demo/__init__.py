"""The demo: rounds dealt from a seed, played over HTTP against a running service, and proved afterwards."""
