"""Pages of the site itself: help, the offline page, and forms that go on after signing in."""
