"""What a connection passes before the application sees it: limits of time and number, turns of addresses, frames."""
