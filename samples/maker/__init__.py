"""Makes Core Data SQLite stores as iOS wrote them, from a description.

`model` describes entities, `layout` says which tables and columns they become, `archive` and
`metadata` write the two embedded property lists, `store` writes the file, and `azure` knows the
system entities of the Azure Mobile SDK. Nothing here uses a clock or a random number, so the same
description always gives the same content.
"""
