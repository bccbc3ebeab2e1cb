"""Real-time hybrid simulation: plan, certify, rehearse, run and report a substructured test."""
