"""What `make` runs: export, collect, execute, check, lint and study."""
