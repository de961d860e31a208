"""How much is read."""

LARGEST = 256 * 1024
"""A file's greatest size, in bytes."""

DEEPEST = 64
"""How deep mappings and lists may be nested."""
