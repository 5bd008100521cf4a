"""An account as its owner has it: API, deletion, and the data stored of it."""
