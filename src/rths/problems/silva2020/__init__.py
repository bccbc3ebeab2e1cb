"""Silva, Gomez, Maghareh, Dyke, Spencer 2020: the benchmark control problem for hybrid tests."""
