"""Runs migrations over the connection that `storage.migrate` hands in, all of them in one transaction."""

from alembic import context

from korgool.app.server.storage.schema import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata, transactional_ddl=True)
with context.begin_transaction():
    context.run_migrations()
