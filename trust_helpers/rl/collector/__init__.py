"""How the bundled returns were made; everything here needs the extra ``rl``."""
