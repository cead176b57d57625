"""What trouble becomes for the client: the service's own troubles are never the request's fault."""

import psycopg
import pytest
from django.core.exceptions import BadRequest, RequestDataTooBig, SuspiciousOperation
from django.db import DataError, Error, IntegrityError, InterfaceError, InternalError, OperationalError
from django.http import Http404, UnreadablePostError
from psycopg import errors
from rest_framework import exceptions

from jackpot.http.problems import as_refusal


@pytest.mark.parametrize(
    "cause",
    [
        *(errors.LockNotAvailable, errors.DeadlockDetected, errors.SerializationFailure, errors.QueryCanceled),
        *(errors.AdminShutdown, errors.TooManyConnections, errors.DiskFull, psycopg.OperationalError),
        *(psycopg.InterfaceError, errors.ReadOnlySqlTransaction, errors.IdleInTransactionSessionTimeout),
    ],
)
def test_a_database_that_is_not_to_be_had_is_busy(cause: type[psycopg.Error]) -> None:
    refused = as_refusal(as_django_raises(cause()))
    assert refused is not None
    assert refused.code == "busy"


@pytest.mark.parametrize(
    "error",
    [
        *(ZeroDivisionError(), IntegrityError(), InternalError()),
        exceptions.APIException(),
    ],
)
def test_what_nobody_foresaw_is_left_alone(error: Exception) -> None:
    assert as_refusal(error) is None


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (exceptions.NotAuthenticated(), "unauthenticated"),
        (exceptions.AuthenticationFailed(), "unauthenticated"),
        (exceptions.PermissionDenied(), "forbidden"),
        (exceptions.NotFound(), "not_found"),
        (exceptions.MethodNotAllowed("BREW"), "method_not_allowed"),
        (exceptions.NotAcceptable(), "not_acceptable"),
        (exceptions.UnsupportedMediaType("text/plain"), "unsupported_media_type"),
        (exceptions.Throttled(), "throttled"),
        (exceptions.ParseError(), "malformed"),
        (exceptions.ValidationError({"ante": ["no"]}), "malformed"),
        (Http404(), "not_found"),
        (RequestDataTooBig(), "body_too_large"),
        (SuspiciousOperation(), "malformed"),
        (BadRequest(), "malformed"),
        (UnreadablePostError(), "malformed"),
        (DataError(), "invalid_value"),
    ],
)
def test_what_the_frameworks_raise_has_its_code(error: Exception, code: str) -> None:
    refused = as_refusal(error)
    assert refused is not None
    assert refused.code == code
    assert refused.violations[0].detail


def as_django_raises(cause: psycopg.Error) -> Error:
    kinds = (
        (psycopg.OperationalError, OperationalError),
        (psycopg.InternalError, InternalError),
        (psycopg.InterfaceError, InterfaceError),
    )
    raised = next(ours() for theirs, ours in kinds if isinstance(cause, theirs))
    raised.__cause__ = cause
    return raised
