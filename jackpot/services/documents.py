"""Sealing the documents that postings follow from: policies of the jackpot, rule sets of the tables.

Each version goes into a lane's chain before the first posting there that follows from it, so that nobody changes it
afterwards unseen. A lane that was posted to before documents were sealed seals them with its next batch.
"""

from collections.abc import Iterator, Sequence

from jackpot.domain import postings
from jackpot.domain.canonical import canonical, instant
from jackpot.domain.postings import Document, Entry, LockOut, Settlement
from jackpot.models.jackpots import PolicyVersion
from jackpot.models.lanes import Lane
from jackpot.selectors import journal
from jackpot.services.levels import Loaded


def policy(version: PolicyVersion) -> Document:
    """A version of a jackpot's policy, as it is sealed."""
    content = {
        "jackpot": version.jackpot.code,
        "version": version.version,
        "in_force_at": instant(version.in_force_at),
        "document": version.document,
    }
    return Document(f"policy:{version}", canonical(content))


class Unsealed:
    """The documents of a batch that its lane has not sealed yet; one query."""

    def __init__(self, lane: Lane, batch: Sequence[LockOut | Settlement], books: Loaded | None) -> None:
        self._lane = lane
        self._policies = {pk: policy(version) for pk, version in books.versions.items()} if books else {}
        refs = {document.ref for posting in batch for document in self._of(posting)}
        self._left = refs - journal.sealed_documents(lane, refs)

    def before(self, posting: LockOut | Settlement) -> Iterator[Entry]:
        """The entries that must stand before a posting's own: its documents, those that are not sealed by now."""
        for document in self._of(posting):
            if document.ref in self._left:
                self._left.discard(document.ref)
                yield postings.seal(document, self._lane.pk, posting.source.at)

    def _of(self, posting: LockOut | Settlement) -> Iterator[Document]:
        """What a posting follows from; a lock-out without a stake posts nothing."""
        if isinstance(posting, LockOut) and not posting.staked:
            return
        if posting.policy_id in self._policies:
            yield self._policies[posting.policy_id]
        if isinstance(posting, Settlement):
            yield from posting.documents
