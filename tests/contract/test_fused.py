"""The fused loop is the table loop to the last bit, for every member of every role.

To compile a loop takes seconds, so each composition here brings in a new member of every role at
once: as many compositions as the largest role has members, and no member is compiled twice. The
slow tests of test_members.py put each member into a loop of its own.
"""

from __future__ import annotations

import pytest

from rths.registry import ROLES, kinds

ROUNDS = max(len(kinds(role)) for role in ROLES)


def taken(members, number):
    """Take the member of each role whose turn it is; a role without more has the host's."""
    in_turn = ([m for m in members if m.role == role] for role in ROLES)
    return [of_role[number].example() for of_role in in_turn if number < len(of_role)]


@pytest.mark.parametrize("number", range(ROUNDS))
def test_fused_and_table_loop_agree_to_the_last_bit(number, members, compose, check_same_run):
    check_same_run(compose(*taken(members, number), step=0.004), "fused", "table")


@pytest.mark.parametrize(
    "number", [n if n % 5 == 0 else pytest.param(n, marks=pytest.mark.slow) for n in range(ROUNDS)]
)
def test_they_agree_at_a_single_rate_too(number, members, compose, check_same_run):
    check_same_run(compose(*taken(members, number)), "fused", "table")
