"""Choosing on one part of a log and judging on the other: the parts, the guesses, the choice and the judges."""
