"""Command groups with suggestions: `analyze` is answered by `Did you mean 'analyse'?`."""

from __future__ import annotations

from difflib import get_close_matches

import click


class NearGroup(click.Group):
    """A group that suggests commands with similar names.

    click does this for options, but for commands only in groups that have imported them all.
    """

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The named command, or a usage error with the nearest names."""
        name = args[0]
        if not ctx.resilient_parsing and name[:1] != "-" and self.get_command(ctx, name) is None:
            near = get_close_matches(name.lower(), self.list_commands(ctx))
            advice = f" Did you mean {' or '.join(map(repr, near))}?" if near else ""
            ctx.fail(f"No such command {name[:40]!r}.{advice}")
        return super().resolve_command(ctx, args)
