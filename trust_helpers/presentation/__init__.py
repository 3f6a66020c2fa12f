"""A report as people and machines read it: text, Markdown, a page to send, and JSON; nothing here decides anything."""
