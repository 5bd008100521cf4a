"""Events on the web, with several officials at once: the same logs of actions as event files hold; pages and API."""
