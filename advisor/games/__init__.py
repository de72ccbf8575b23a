"""Pure rules: frozen values and functions without I/O, clock or unpassed randomness."""
