"""What the chapters try out, one module an idea; each says in its first line whose experiments they are."""
