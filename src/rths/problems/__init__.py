"""Published benchmark problems, one package each."""
