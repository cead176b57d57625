"""Roles of staff, and who may change what about whom. What each role may do: `config/staff_roles.py`."""

from enum import StrEnum

from jackpot.domain.errors import refuse


class Role(StrEnum):
    """What somebody is for, one each. Asking, deciding and paying are apart, and so are people and money."""

    OPERATOR = "operator"
    SUPERVISOR = "supervisor"
    CASHIER = "cashier"
    AUDITOR = "auditor"
    ADMINISTRATOR = "administrator"

    @property
    def about(self) -> str:
        """What it is for, in a line."""
        return _ABOUT[self]


_ABOUT = {
    Role.OPERATOR: "runs the tables: enters readings, disputes awards, asks for changes and corrections",
    Role.SUPERVISOR: "decides: approves awards and what others asked for, closes days",
    Role.CASHIER: "pays awards",
    Role.AUDITOR: "reads everything, the log and the people too, and changes nothing",
    Role.ADMINISTRATOR: "looks after people and set-up, and moves no money",
}


def check_reach(*, by: int, of: int, by_superuser: bool, of_superuser: bool) -> None:
    """Nobody changes what he may do himself, and nobody takes over an account that may do more than any role.

    Raises Refused with `second_person_required`, or `forbidden`.
    """
    if by == of:
        raise refuse("second_person_required", "another administrator does this: nobody changes his own account")
    if of_superuser and not by_superuser:
        raise refuse("forbidden", "this account is a superuser's: only another superuser changes it")
