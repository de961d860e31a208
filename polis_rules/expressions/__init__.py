"""The expression language: parsing, types and typed trees."""
