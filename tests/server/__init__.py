from tests.server.once import install

install()
