"""Who may call: TLS, mutual TLS, tokens and roles, all changed while the server runs."""

from __future__ import annotations

import hmac
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import grpc
import grpc.aio
import pytest
import trustme
from click.testing import CliRunner
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc

from lisboa.v1 import server_pb2, server_pb2_grpc
from lisboa_ai.client import AsyncClient, ServiceError
from lisboa_ai.server import Server, Settings, SettingsError
from lisboa_ai.server.commands import serve
from lisboa_ai.server.settings import Tls
from lisboa_ai.server.tokens import TokenError, Tokens, fresh_token
from tests.serving import FakeSearch, channel, in_loop, metrics, serving

INFO = server_pb2.GetServerInfoRequest()
Metadata = Sequence[tuple[str, str]]


def certified(folder: Path, authority: trustme.CA, *, mutual: bool = False) -> Tls:
    """Files with a certificate of this authority; the same names every time, so that a second one takes its place."""
    issued = authority.issue_cert("127.0.0.1", "localhost")
    # as a careful administrator does it: written beside, then moved over the old one
    for name, blob in (("key.pem", issued.private_key_pem), ("cert.pem", issued.cert_chain_pems[0])):
        blob.write_to_path(folder / "new")
        (folder / "new").rename(folder / name)
    if mutual:
        authority.cert_pem.write_to_path(folder / "ca.pem")
    return Tls(str(folder / "cert.pem"), str(folder / "key.pem"), str(folder / "ca.pem") if mutual else None)


def secure(server: Server, trusted: trustme.CA, own: trustme.LeafCert | None = None) -> grpc.aio.Channel:
    """An encrypted channel; with a certificate of its own if there is one."""
    if own is None:
        made = grpc.ssl_channel_credentials(trusted.cert_pem.bytes())
    else:
        made = grpc.ssl_channel_credentials(
            trusted.cert_pem.bytes(), own.private_key_pem.bytes(), own.cert_chain_pems[0].bytes()
        )
    options = (("grpc.use_local_subchannel_pool", 1), ("grpc.enable_retries", 0))  # no connection of another test
    return grpc.aio.secure_channel(server.address, made, options=options)


async def ends(opened: grpc.aio.Channel, metadata: Metadata = ()) -> grpc.StatusCode:
    """How GetServerInfo ends. Closes the channel."""
    async with opened:
        try:
            await server_pb2_grpc.ServerServiceStub(opened).GetServerInfo(INFO, metadata=tuple(metadata), timeout=20)
        except grpc.aio.AioRpcError as error:
            return error.code()
        return grpc.StatusCode.OK


# --- certificates ---------------------------------------------------------------------------------------------------


@in_loop
async def test_tls_serves_those_who_trust_its_certificate_and_nobody_in_plaintext(tmp_path: Path) -> None:
    authority = trustme.CA()
    async with serving(FakeSearch(), tls=certified(tmp_path, authority)) as server:
        assert await ends(secure(server, authority)) is grpc.StatusCode.OK
        assert await ends(secure(server, trustme.CA())) is grpc.StatusCode.UNAVAILABLE
        assert await ends(channel(server)) is grpc.StatusCode.UNAVAILABLE


@in_loop
async def test_a_new_certificate_is_used_without_a_restart_and_a_bad_one_is_not(tmp_path: Path) -> None:
    old, new = trustme.CA(), trustme.CA()
    async with serving(FakeSearch(), tls=certified(tmp_path, old)) as server:
        kept = secure(server, old)
        stub = server_pb2_grpc.ServerServiceStub(kept)
        await stub.GetServerInfo(INFO)
        (tmp_path / "key.pem").write_bytes(
            new.issue_cert("127.0.0.1").private_key_pem.bytes()
        )  # of another certificate
        assert await ends(secure(server, old)) is grpc.StatusCode.OK
        certified(tmp_path, new)
        assert await ends(secure(server, new)) is grpc.StatusCode.OK
        assert await ends(secure(server, old)) is grpc.StatusCode.UNAVAILABLE
        await stub.GetServerInfo(INFO)  # a connection that is open stays open
        await kept.close()
        found = await metrics(server)
        assert found("lisboa_reloads_total", file="certificates", result="failed") == 1
        assert found("lisboa_reloads_total", file="certificates", result="ok") == 1


@in_loop
async def test_mutual_tls_serves_only_clients_with_a_certificate_of_the_authority(tmp_path: Path) -> None:
    authority, other = trustme.CA(), trustme.CA()
    async with serving(FakeSearch(), tls=certified(tmp_path, authority, mutual=True)) as server:
        assert await ends(secure(server, authority, authority.issue_cert("club.example"))) is grpc.StatusCode.OK
        assert await ends(secure(server, authority)) is grpc.StatusCode.UNAVAILABLE
        assert await ends(secure(server, authority, other.issue_cert("club.example"))) is grpc.StatusCode.UNAVAILABLE


@in_loop
async def test_probes_that_know_no_tls_have_a_port_of_their_own_and_nothing_else_there(tmp_path: Path) -> None:
    tls = certified(tmp_path, trustme.CA(), mutual=True)
    async with serving(FakeSearch(), tls=tls, health_port=0) as server:
        async with grpc.aio.insecure_channel(f"127.0.0.1:{server.health_port}") as opened:
            reply = await health_pb2_grpc.HealthStub(opened).Check(health_pb2.HealthCheckRequest(service="readiness"))
            assert reply.status == health_pb2.HealthCheckResponse.SERVING
        plain = grpc.aio.insecure_channel(f"127.0.0.1:{server.health_port}")
        assert await ends(plain) is grpc.StatusCode.UNIMPLEMENTED


def test_certificates_that_cannot_be_used_are_refused_at_the_start(tmp_path: Path) -> None:
    tls = certified(tmp_path, trustme.CA())
    missing = Tls(tls.certificate, str(tmp_path / "none.pem"))
    with pytest.raises(SettingsError, match=r"^tls.key: .*none.pem: No such file or directory; allowed: "):
        Server(Settings(tls=missing))
    (tmp_path / "key.pem").write_bytes(trustme.CA().issue_cert("127.0.0.1").private_key_pem.bytes())
    with pytest.raises(SettingsError, match=r"^tls: .*KEY_VALUES_MISMATCH; allowed: a certificate chain with its key"):
        Server(Settings(tls=tls))
    (tmp_path / "key.pem").write_text("nothing")
    with pytest.raises(SettingsError, match=r"^tls: .*; allowed: a certificate chain with its key, in PEM"):
        Server(Settings(tls=tls))


# --- tokens ---------------------------------------------------------------------------------------------------------


def bearer(token: str) -> Metadata:
    return (("authorization", f"Bearer {token}"),)


def token_file(folder: Path, *roles: str) -> tuple[str, list[str]]:
    """A file with a token for each role, and the tokens."""
    made = [fresh_token(f"user{number}", role) for number, role in enumerate(roles)]
    path = folder / "tokens"
    path.write_text(
        "# who may call\n\n" + "".join(f"{line}  # {role}\n" for (_, line), role in zip(made, roles, strict=True))
    )
    return str(path), [token for token, _ in made]


async def reflected(server: Server, metadata: Metadata) -> grpc.StatusCode:
    """How a question for the list of services ends."""
    async with channel(server) as opened:
        stub = reflection_pb2_grpc.ServerReflectionStub(opened)
        asked = [reflection_pb2.ServerReflectionRequest(list_services="")]
        try:
            replies = [one async for one in stub.ServerReflectionInfo(iter(asked), metadata=tuple(metadata))]
        except grpc.aio.AioRpcError as error:
            return error.code()
        assert "lisboa.v1.AdvisorService" in {one.name for one in replies[0].list_services_response.service}
        return grpc.StatusCode.OK


@in_loop
async def test_with_tokens_only_their_owners_may_call(tmp_path: Path) -> None:
    path, (advise, admin) = token_file(tmp_path, "advise", "admin")
    async with serving(FakeSearch(), tokens=path) as server:
        for token in (advise, admin):
            assert await ends(channel(server), bearer(token)) is grpc.StatusCode.OK
        bad: list[Metadata] = [
            (),
            bearer(advise[:-1]),
            bearer(""),
            (("authorization", advise),),
            (("authorization", f"Basic {advise}"),),
            (*bearer(advise), *bearer(admin)),
        ]
        for metadata in bad:
            assert await ends(channel(server), metadata) is grpc.StatusCode.UNAUTHENTICATED
        async with channel(server) as opened:  # probes have no token
            reply = await health_pb2_grpc.HealthStub(opened).Check(health_pb2.HealthCheckRequest())
            assert reply.status == health_pb2.HealthCheckResponse.SERVING
        found = await metrics(server)
        labels = {"grpc_type": "unary", "grpc_service": "lisboa.v1.ServerService", "grpc_method": "GetServerInfo"}
        assert found("grpc_server_handled_total", **labels, grpc_code="Unauthenticated") == len(bad)


@in_loop
async def test_the_client_of_the_package_speaks_tls_and_shows_its_token(tmp_path: Path) -> None:
    authority = trustme.CA()
    path, (token,) = token_file(tmp_path, "advise")
    async with serving(FakeSearch(), tls=certified(tmp_path, authority), tokens=path) as server:
        encrypted = grpc.ssl_channel_credentials(authority.cert_pem.bytes())
        shown = grpc.access_token_call_credentials(token)
        async with AsyncClient(
            server.address, credentials=grpc.composite_channel_credentials(encrypted, shown)
        ) as client:
            assert (await client.server_info()).bench_signature
        async with AsyncClient(server.address, credentials=encrypted) as stranger:
            with pytest.raises(ServiceError) as refused:
                await stranger.server_info()
            assert refused.value.code is grpc.StatusCode.UNAUTHENTICATED


@in_loop
async def test_the_service_describes_itself_to_admins_where_there_are_tokens(tmp_path: Path) -> None:
    path, (advise, admin) = token_file(tmp_path, "advise", "admin")
    async with serving(FakeSearch(), tokens=path, reflection=True) as server:
        assert await reflected(server, bearer(admin)) is grpc.StatusCode.OK
        assert await reflected(server, bearer(advise)) is grpc.StatusCode.PERMISSION_DENIED
        assert await reflected(server, ()) is grpc.StatusCode.UNAUTHENTICATED


@in_loop
async def test_the_service_describes_itself_only_if_it_is_told_to() -> None:
    async with serving(FakeSearch()) as server:
        assert await reflected(server, ()) is grpc.StatusCode.UNIMPLEMENTED
    async with serving(FakeSearch(), reflection=True) as server:
        assert await reflected(server, ()) is grpc.StatusCode.OK


@in_loop
async def test_tokens_come_and_go_without_a_restart_and_a_bad_file_changes_nothing(tmp_path: Path) -> None:
    path, (old,) = token_file(tmp_path, "advise")
    async with serving(FakeSearch(), tokens=path) as server:
        assert await ends(channel(server), bearer(old)) is grpc.StatusCode.OK
        Path(path).write_text("user0 advise md5:1\n")
        assert await ends(channel(server), bearer(old)) is grpc.StatusCode.OK
        Path(path).unlink()
        assert await ends(channel(server), bearer(old)) is grpc.StatusCode.OK
        _, (new, _) = token_file(tmp_path, "advise", "admin")
        assert await ends(channel(server), bearer(new)) is grpc.StatusCode.OK
        assert await ends(channel(server), bearer(old)) is grpc.StatusCode.UNAUTHENTICATED
        found = await metrics(server)
        assert found("lisboa_reloads_total", file="tokens", result="failed") == 2
        assert found("lisboa_reloads_total", file="tokens", result="ok") == 1


@pytest.mark.parametrize(
    "text, says",
    [
        ("", "no token; allowed: one or more lines"),
        ("# nothing\n", "no token; allowed: one or more lines"),
        ("a advise", "line 1: 2 words; allowed: NAME ROLE sha256:HEX"),
        ("\na root sha256:" + "0" * 64, "line 2: role: 'root'; allowed: advise, admin"),
        ("a/b admin sha256:" + "0" * 64, "line 1: name: 'a/b'; allowed: 1 to 64 letters"),
        ("a admin sha256:" + "0" * 63, "line 1: hash; allowed: sha256: and 64 hexadecimal digits"),
        ("a admin secret", "line 1: hash; allowed: sha256: and 64 hexadecimal digits"),
        (f"a admin sha256:{'0' * 64}\na advise sha256:{'1' * 64}", "line 2: name: 'a', as another line has it"),
    ],
)
def test_a_file_of_tokens_that_cannot_be_used_is_refused_without_repeating_secrets(
    tmp_path: Path, text: str, says: str
) -> None:
    path = tmp_path / "tokens"
    path.write_text(text)
    with pytest.raises(TokenError) as refused:
        Tokens.read(path)
    assert str(refused.value).startswith(says)
    assert "secret" not in str(refused.value)
    with pytest.raises(SettingsError, match=r"^tokens: "):
        Server(Settings(tokens=str(path)))


def test_every_hash_is_compared_in_constant_time_whoever_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, tokens = token_file(tmp_path, "advise", "advise", "admin")
    known = Tokens.read(Path(path))
    compared: list[Any] = []
    real = hmac.compare_digest
    monkeypatch.setattr(hmac, "compare_digest", lambda a, b: compared.append(a) or real(a, b))
    for token in (*tokens, "none of them"):
        compared.clear()
        owner = known.owner(token)
        assert len(set(compared)) == len(compared) == 3
        assert (owner is None) == (token == "none of them")
    owner = known.owner(tokens[2])
    assert owner is not None
    assert (owner.name, owner.role) == ("user2", "admin")


def test_the_file_holds_no_token(tmp_path: Path) -> None:
    path, tokens = token_file(tmp_path, "advise", "admin")
    assert len(set(tokens)) == 2
    assert not any(token in Path(path).read_text() for token in tokens)


def test_serve_makes_tokens_and_the_lines_for_their_file(tmp_path: Path) -> None:
    made = CliRunner().invoke(serve, ["--new-token", "club:advise"])
    assert made.exit_code == 0
    first, second = made.output.splitlines()
    path = tmp_path / "tokens"
    path.write_text(second.partition(":")[2] + "\n")
    owner = Tokens.read(path).owner(first.partition(": ")[2])
    assert owner is not None
    assert (owner.name, owner.role) == ("club", "advise")
    refused = CliRunner().invoke(serve, ["--new-token", "club"])
    assert refused.exit_code == 2
    assert refused.output == "Error: new-token: role: ''; allowed: advise, admin\n"


@in_loop
async def test_a_stranger_is_refused_before_his_request_is_read(tmp_path: Path) -> None:
    path, _ = token_file(tmp_path, "advise")
    async with serving(FakeSearch(), tokens=path) as server, channel(server) as opened:
        with pytest.raises(grpc.aio.AioRpcError) as refused:
            await opened.unary_unary("/lisboa.v1.AdvisorService/Advise")(b"\xff" * 1000)
        assert refused.value.code() is grpc.StatusCode.UNAUTHENTICATED  # not INVALID_ARGUMENT
