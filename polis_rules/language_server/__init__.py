"""A language server for rulesets: what an editor asks about a file, answered by the compiler itself."""
