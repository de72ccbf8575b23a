"""What can be wrong with an operation: it cannot be read, or the round does not allow it."""

from __future__ import annotations


class IllegalMove(ValueError):  # noqa: N818 - it names what the operation is, as the callers say it
    """An operation that the round does not allow; the message names the place, what is wrong and what is allowed."""


class MalformedOperation(ValueError):  # noqa: N818 - as above
    """A logged operation that cannot be read; the message names the field and what is expected."""
