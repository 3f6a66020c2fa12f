"""The chapters' tools: what a chapter is, its parameters, its figures, and how it is executed."""
