"""Diagnosis of an installation: checks of what can be seen from here, each with a reason and words to type.

- `findings`: what a check has found;
- `installation`: Python, the kernel, the parts, tables, the limits of the system;
- `place`: the data folder and the database of a site;
- `address`: the site as people reach it, its port, the way of mail and of web push;
- `examination`: all of them, as the command asks for them.
"""
