"""One line of text for a message: a prefix with a version, compressed bytes in URL-safe letters, a checksum."""

from __future__ import annotations

import base64
import zlib
from typing import TypeVar

from google.protobuf import json_format
from google.protobuf.message import DecodeError, Message

M = TypeVar("M", bound=Message)

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
    except (ValueError, zlib.error) as error:
        raise ValueError("an undamaged line: its letters do not decode") from error
    if not unzip.eof or f"{zlib.crc32(data):08x}" != checksum:
        raise ValueError("an undamaged line: its checksum does not fit")
    return data


def read_text(prefix: str, text: str, message: M) -> M:
    """Fill a message from its line of text. Raises ``ValueError`` saying what a good line looks like."""
    try:
        message.ParseFromString(unpack(prefix, text))
    except DecodeError as error:
        raise ValueError("an undamaged line: its bytes are no such message") from error
    return message


def read_json(text: str, message: M) -> M:
    """Fill a message from its protobuf JSON. Raises ``ValueError`` saying what cannot be read."""
    try:
        return json_format.Parse(text, message)
    except (json_format.ParseError, RecursionError, UnicodeError) as error:
        raise ValueError(" ".join(str(error).split())[:500]) from error
