"""Training of the evaluation: games of the engine with itself, filter, network, quantisation, and the gate."""
