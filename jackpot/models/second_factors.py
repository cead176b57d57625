"""The app on somebody's phone that shows codes for signing in."""

from django.utils.crypto import salted_hmac
from django_otp.plugins.otp_totp.models import TOTPDevice

_MOST_FAILURES = 13
"""Each wrong code doubles the wait before the next, from a second up to about an hour."""


class Authenticator(TOTPDevice):
    """Its secret is made from a salt in the database and from `SECRET_KEY`: a copy of the database shows no codes."""

    throttling_failure_count: int

    class Meta:
        proxy = True
        default_permissions = ()

    @property
    def bin_key(self) -> bytes:
        """The secret: 20 bytes."""
        return secret_of(self.key)

    def throttle_increment(self, commit: bool = True) -> None:
        before = self.throttling_failure_count
        super().throttle_increment(commit=False)
        self.throttling_failure_count = min(before + 1, _MOST_FAILURES)
        if commit:
            self.save()


def secret_of(salt: str) -> bytes:
    """The secret of a salt: 20 bytes."""
    return salted_hmac("jackpot.second_factors", salt, algorithm="sha256").digest()[:20]
