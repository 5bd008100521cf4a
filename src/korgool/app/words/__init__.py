"""Words that command line, server and printing share: names, and reasons for and against moves."""
