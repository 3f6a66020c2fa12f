"""From the tables people have to columns: by content and not by name, every cell checked, nothing guessed unsaid."""
