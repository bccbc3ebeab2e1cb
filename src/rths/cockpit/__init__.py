"""The cockpit: a test in the browser, before, while and after it runs.

It stands beside a test and never in its way: it reads the ring of a loop from outside, asks its
supervisor by a file, and computes in processes of its own. What it needs is the extra ``cockpit``.
"""
