"""Applications for events: what anybody sends on a public form, before an official says yes."""
