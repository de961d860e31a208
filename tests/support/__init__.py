"""What several test files share: rulesets built in memory, a game made up, the command line, an editor."""
