"""One line of text for a message: a prefix with a version, compressed bytes in URL-safe letters, a checksum."""

from __future__ import annotations

import base64
import binascii
import zlib

MAX_BYTES = 1 << 20


def pack(prefix: str, data: bytes) -> str:
    body = base64.urlsafe_b64encode(zlib.compress(data, 9)).decode().rstrip("=")
    return f"{prefix}{body}.{zlib.crc32(data):08x}"


def unpack(prefix: str, text: str) -> bytes:
    """The reverse. Raises ``ValueError`` saying what a good line looks like."""
    text = text.strip()
    if not text.startswith(prefix):
        raise ValueError(f"a line that starts with {prefix}")
    body, _, checksum = text[len(prefix) :].rpartition(".")
    try:
        packed = base64.b64decode(body + "=" * (-len(body) % 4), altchars=b"-_", validate=True)
        unzip = zlib.decompressobj()
        data = unzip.decompress(packed, MAX_BYTES)
    except (binascii.Error, zlib.error) as error:
        raise ValueError("an undamaged line: its letters do not decode") from error
    if not unzip.eof or f"{zlib.crc32(data):08x}" != checksum:
        raise ValueError("an undamaged line: its checksum does not fit")
    return data
