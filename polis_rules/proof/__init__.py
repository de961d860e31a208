"""Ways to show that rules and engine are right: a naive engine, coverage, mutation, node counts, soaks, shrinking."""
