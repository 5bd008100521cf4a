"""Mutation testing: small faults put into the code one at a time, and a test must fail for each of them.

    python -m tests.mutation --seed 1 --count 500

draws faults ("mutants") over the rooms of `rooms.py`, runs the tests that reach the changed line, and prints which
mutants live. `equivalent.toml` lists those that change nothing anybody could see, each with its reason.

Why not `mutmut` or `cosmic-ray`: most of the server's and much of the command line's code runs in processes that the
tests start. `mutmut` 3 learns which tests reach a function within its own process only, so it takes that code for
untested; it leaves out module and class bodies, and draws no sample. `cosmic-ray` knows nothing of coverage and starts
the test command anew for every mutant, on the file in the working tree. Here a coverage run with contexts maps each
line to its tests, child processes included, and a mutant lives in an overlay that only its own forked process sees.
"""
