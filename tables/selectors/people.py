"""Who stands behind the references of the books ("user:17", "key:5")."""

from collections.abc import Iterable

from django.contrib.auth.models import User


class Names:
    """The names of some references; one query. Keys and who is not there go by their reference."""

    def __init__(self, actors: Iterable[str]) -> None:
        kept = {actor for actor in actors if actor.startswith("user:")}
        ids = [int(number) for actor in kept if (number := actor.removeprefix("user:")).isdecimal()]
        found = User.objects.filter(pk__in=ids).values_list("pk", "username") if ids else ()
        self._names = {f"user:{pk}": name for pk, name in found}

    def of(self, actor: str) -> str:
        return self._names.get(actor, actor.replace(":", " "))
