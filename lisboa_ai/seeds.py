"""Seeds from seeds: unrelated numbers for related arguments."""

from __future__ import annotations

import hashlib

__all__ = ["seed_of"]


def seed_of(*parts: int | str) -> int:
    """A seed of 63 bits that depends on every part."""
    text = "/".join(map(str, parts))
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "little") >> 1
