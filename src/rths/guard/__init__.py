"""Guards: small declarations of what must not happen, each with a level to warn and one to trip."""
