"""Classes: a trainer with a code, children with nicknames, tasks with their results, and a screen for all."""
