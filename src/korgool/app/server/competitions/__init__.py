"""Events on the web: the same logs of actions as event files hold, with several officials at once."""
