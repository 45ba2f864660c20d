"""The service as a process of its own: stopped by SIGTERM under load, and left by a client that is killed."""

from __future__ import annotations

import asyncio
import signal
import subprocess
import sys
import time

import grpc
from google.protobuf.duration_pb2 import Duration

from bench.served import SERVE, Served, served
from lisboa.v1 import advisor_pb2, advisor_pb2_grpc, rules_pb2, rules_pb2_grpc
from tests.serving import position, wait_until

LONG = Duration(seconds=50)


def wait_for(process: Served, *, busy: int, waiting: int = 0) -> None:
    """Until so many workers search, and so many searches wait."""
    wait_until(
        lambda: (
            process.sample('lisboa_search_workers{state="busy"}') == busy
            and process.sample("lisboa_search_queue_depth") == waiting
        )
    )


def test_sigterm_under_load_ends_with_answers_and_exit_code_0() -> None:
    request = advisor_pb2.AdviseRequest(
        request_id="under load",
        position=position().to_proto(),
        limits=advisor_pb2.SearchLimits(time=LONG),
    )
    with served("--workers", "2", "--queue", "2") as process:

        async def load() -> list[advisor_pb2.AdviseResponse | grpc.StatusCode]:
            async with grpc.aio.insecure_channel(process.address, options=(("grpc.enable_retries", 0),)) as opened:
                stub = advisor_pb2_grpc.AdvisorServiceStub(opened)

                async def ask() -> advisor_pb2.AdviseResponse | grpc.StatusCode:
                    try:
                        return await stub.Advise(request)
                    except grpc.aio.AioRpcError as error:
                        return error.code()

                asked = [asyncio.create_task(ask()) for _ in range(3)]
                await asyncio.to_thread(wait_for, process, busy=2, waiting=1)
                process.started.send_signal(signal.SIGTERM)
                return list(await asyncio.gather(*asked))

        began = time.monotonic()
        ends = asyncio.run(load())
        answers = [one for one in ends if isinstance(one, advisor_pb2.AdviseResponse)]
        assert len(answers) == 2
        assert [one for one in ends if isinstance(one, grpc.StatusCode)] == [grpc.StatusCode.UNAVAILABLE]
        assert {one.advice.report.stop_reason for one in answers} == {advisor_pb2.STOP_REASON_DRAINING}
        assert all(one.advice.candidates and one.advice.report.iterations > 0 for one in answers)
        assert process.started.wait(20) == 0
        assert time.monotonic() - began < 45  # the searches had asked for 50 seconds
    lines = [line for line in process.log if line.get("request_id") == "under load"]
    assert sorted(str(line["code"]) for line in lines) == ["OK", "OK", "UNAVAILABLE"]
    assert [line["stop_reason"] for line in lines if line["code"] == "OK"] == ["draining", "draining"]
    assert process.log[-1]["message"] == "stopped"


def test_a_steady_load_sees_nothing_but_answers_and_unavailable_when_the_server_stops() -> None:
    request = advisor_pb2.AdviseRequest(
        position=position().to_proto(), limits=advisor_pb2.SearchLimits(time=Duration(nanos=20_000_000))
    )
    with served("--workers", "2", "--queue", "100", "--drain-grace", "0.2") as process:

        async def load() -> dict[grpc.StatusCode, int]:
            ends: dict[grpc.StatusCode, int] = {}

            async def ask_on(opened: grpc.aio.Channel) -> None:
                stub = advisor_pb2_grpc.AdvisorServiceStub(opened)
                while not ends.get(grpc.StatusCode.UNAVAILABLE):
                    try:
                        await stub.Advise(request)
                        code = grpc.StatusCode.OK
                    except grpc.aio.AioRpcError as error:
                        code = error.code()
                    ends[code] = ends.get(code, 0) + 1

            async with grpc.aio.insecure_channel(process.address, options=(("grpc.enable_retries", 0),)) as opened:
                asking = [asyncio.create_task(ask_on(opened)) for _ in range(6)]
                while ends.get(grpc.StatusCode.OK, 0) < 10:
                    await asyncio.sleep(0.01)
                process.started.send_signal(signal.SIGTERM)
                await asyncio.gather(*asking)
            return ends

        ends = asyncio.run(load())
        # what arrives in the moment when the port closes gRPC itself cancels; tests/ops holds that it is rare
        ends.pop(grpc.StatusCode.CANCELLED, None)
        assert set(ends) == {grpc.StatusCode.OK, grpc.StatusCode.UNAVAILABLE}
        assert process.started.wait(20) == 0


CLIENT = """
import sys
import grpc
from lisboa.v1 import advisor_pb2, advisor_pb2_grpc
request = advisor_pb2.AdviseRequest.FromString(bytes.fromhex(sys.argv[2]))
advisor_pb2_grpc.AdvisorServiceStub(grpc.insecure_channel(sys.argv[1])).Advise(request)
"""


def test_a_client_that_is_killed_frees_its_worker() -> None:
    request = advisor_pb2.AdviseRequest(position=position().to_proto(), limits=advisor_pb2.SearchLimits(time=LONG))
    with served("--workers", "2") as process:
        command = [sys.executable, "-c", CLIENT, process.address, request.SerializeToString().hex()]
        client = subprocess.Popen(command)
        try:
            wait_for(process, busy=1)
        finally:
            client.kill()
            client.wait()
        killed = time.monotonic()
        wait_for(process, busy=0)
        assert time.monotonic() - killed < 15  # not the 50 seconds that the search had asked for
        assert process.sample('lisboa_search_cancelled_total{reason="client"}') == 1
        with grpc.insecure_channel(process.address) as opened:  # and it serves on
            legal = rules_pb2_grpc.RulesServiceStub(opened).ListLegalActions(
                rules_pb2.ListLegalActionsRequest(position=position().to_proto())
            )
        assert len(legal.actions) == len(position().observation.legal())
        process.started.send_signal(signal.SIGTERM)
        assert process.started.wait(20) == 0


def test_a_taken_port_is_one_clear_line_and_exit_code_2() -> None:
    with served() as process:
        port = process.address.rsplit(":", 1)[1]
        command = [sys.executable, "-c", SERVE, "--port", port, "--no-metrics"]
        second = subprocess.run(command, capture_output=True, text=True, timeout=60)
        assert second.returncode == 2
        assert second.stderr.splitlines()[-1] == f"Error: port: {port} on 127.0.0.1 is taken; allowed: a free one"
        process.started.send_signal(signal.SIGTERM)
        assert process.started.wait(20) == 0


def test_what_is_there_for_good_is_left_out_of_garbage_collections() -> None:
    """A full collection over all that was imported would hold up the event loop for tens of milliseconds."""
    code = f"import gc, atexit; atexit.register(lambda: print(gc.get_freeze_count())); {SERVE}"
    command = [sys.executable, "-c", code, "--port", "0", "--no-metrics"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert '"serving"' in process.stderr.readline()
        process.send_signal(signal.SIGTERM)
        assert int(process.stdout.read()) > 10_000
        assert process.wait(20) == 0
