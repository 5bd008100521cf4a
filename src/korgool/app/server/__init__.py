"""The web platform: pages, commands and live events of games against the engine.

`application.create_app` makes the application for any ASGI server, `run.serve` runs it by itself. From low to high:

- `limits`: what one session and one address may do, as values, and the queues in which they wait;
- `storage`: the journal of a game, and the database that keeps it;
- `games`: running games, the engine that answers in them, and what goes over the wire;
- `web`: pages and JSON over HTTP and sockets;
- `doors`: what a connection passes before the application sees it.
"""
