"""The analysis board: its API, and the engine for pages without WebAssembly."""
