"""The best mixture in a trust region: by sorting, around another reference, and as the paper's cone program."""
