"""What native code is built on, in the part of Python that is lowered: it is read by `lowering`, and never run.

Words of memory are read by `load(address, place)` and written by `store(address, place, value)`; `copy`, `trap`,
`call_table`, `under` (an unsigned `<`) and `multiply_high` are those of the tree. Upper-case names are numbers that
the unit gives. A state stands at an address `s`; the word before it is the address of its context: working memory that
is begun anew for each question.

A list is an address: how many members, then they from the top. What answers with one says `-> List`, what answers with
working memory that stays taken `-> Room`; other functions give back at their end what they have taken.
"""
