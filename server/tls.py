"""The certificates of the service's port: checked when they are read, and read again when their files change."""

from __future__ import annotations

import ssl
from pathlib import Path
from typing import Any

import grpc

from .metrics import Metrics
from .reload import Watched
from .settings import SettingsError, Tls

__all__ = ["credentials"]


class _BadCertificates(ValueError):
    """Files that cannot be used together."""


def credentials(tls: Tls, metrics: Metrics) -> grpc.ServerCredentials:
    """What a port needs to speak TLS, mutually if ``client_ca`` is set. Raises SettingsError for bad files."""
    assert tls.certificate is not None
    assert tls.key is not None
    named = {"tls.certificate": tls.certificate, "tls.key": tls.key, "tls.client_ca": tls.client_ca}
    paths = {name: Path(file) for name, file in named.items() if file is not None}
    for name, path in paths.items():
        try:
            path.read_bytes()
        except OSError as error:
            raise SettingsError(f"{name}: {path}: {error.strerror}; allowed: a file that can be read") from None
    try:
        files = Watched("certificates", list(paths.values()), lambda: _read(paths), metrics)
    except _BadCertificates as error:
        raise SettingsError(f"tls: {error}") from None
    handed_out = files.now()

    def changed() -> Any:
        nonlocal handed_out
        found = files.now()
        if found is handed_out:
            return None
        handed_out = found
        return found

    return grpc.dynamic_ssl_server_credentials(
        handed_out, changed, require_client_authentication="tls.client_ca" in paths
    )


def _read(paths: dict[str, Path]) -> Any:
    """Read the files, and try whether they fit together: gRPC itself would only refuse every client later."""
    before = {name: path.read_bytes() for name, path in paths.items()}
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    try:
        # A key with a password would be asked for at the terminal.
        context.load_cert_chain(paths["tls.certificate"], paths["tls.key"], password=lambda: "")
        if "tls.client_ca" in paths:
            context.load_verify_locations(paths["tls.client_ca"])
    except ssl.SSLError as error:
        listed = ", ".join(map(str, paths.values()))
        raise _BadCertificates(f"{listed}: {error.reason}; allowed: a certificate chain with its key, in PEM") from None
    if before != {name: path.read_bytes() for name, path in paths.items()}:
        raise _BadCertificates("the files change while they are read")
    return grpc.ssl_server_certificate_configuration(
        [(before["tls.key"], before["tls.certificate"])], root_certificates=before.get("tls.client_ca")
    )
