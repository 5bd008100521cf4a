"""Groups of commands that tell a near miss: `analyze` is answered by `Did you mean 'analyse'?`."""

from __future__ import annotations

from difflib import get_close_matches

import click


class NearGroup(click.Group):
    """A group that says which of its commands may have been meant.

    click does so for options, and for commands only of groups that have imported them all.
    """

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that is named, or a usage error with its nearest names."""
        name = args[0]
        if not ctx.resilient_parsing and name[:1] != "-" and self.get_command(ctx, name) is None:
            near = get_close_matches(name.lower(), self.list_commands(ctx))
            advice = f" Did you mean {' or '.join(map(repr, near))}?" if near else ""
            ctx.fail(f"No such command {name[:40]!r}.{advice}")
        return super().resolve_command(ctx, args)
