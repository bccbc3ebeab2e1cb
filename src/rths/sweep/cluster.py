"""A cluster of Dask workers: given by the address of its scheduler, or started on this machine.

The job is sent once and passed on among the workers, which share no file system with us; a worker
that joins late, or again after a crash, gets it with its first batch. If one of those that are
there has other versions nothing begins; one that joins later has to leave again. Batches of a
worker that dies are run by others. A scheduler that dies takes its workers' batches with it: we
wait for one at the same address and give them out anew. So we do if nothing comes and nobody works
(cluster_watch.py). No question to the cluster is waited for without an end.
"""

from __future__ import annotations

import logging
import time
from asyncio import CancelledError
from collections.abc import Callable, Mapping
from concurrent.futures import Future, InvalidStateError
from contextlib import suppress
from types import TracebackType
from typing import Any, Protocol

from rths.errors import InputError
from rths.sweep.batch import Batch, run_batch
from rths.sweep.bounded_call import call_within
from rths.sweep.cluster_watch import ClusterWatch
from rths.sweep.job import OtherVersionsError, check_versions

LOCAL = "local"
"""The address of a cluster that is started here."""
ARRIVAL = 60.0
"""Seconds that we wait for a scheduler, and for its first worker."""
START = 300.0
"""Seconds that a cluster of our own may take to start: each worker imports what we did."""
ANSWER = 10.0
"""Seconds that we wait for a scheduler's answer to a question."""
LOOK = 2.0
"""Seconds after which the workers are counted anew: some come and go."""
QUIET = logging.CRITICAL
TALKATIVE = (
    "distributed",
    *(f"distributed.{part}" for part in ("client", "core", "nanny", "scheduler", "worker")),
    "tornado",
)
"""Who writes about what a sweep takes care of itself."""


def require_dask() -> Any:
    """Give dask.distributed, or say how to install it."""
    try:
        import distributed
    except ImportError:
        remedy = "Install it with pip install 'rths[cluster]', on the workers too."
        raise InputError("--cluster", None, "needs dask.distributed", remedy) from None
    return distributed


class Sent(Protocol):
    """What is sent to every worker: a job, or what else knows its versions and its key."""

    @property
    def versions(self) -> Mapping[str, str]:
        """Versions that a worker must have."""

    @property
    def key(self) -> str:
        """Digest of all that decides the results."""


def _receive(job: Sent) -> Sent:
    """Be the task whose result is the job: what Dask can make again it never loses."""
    return job


def _make_door(job: Sent) -> Any:
    """Make what looks at every worker when it comes in."""
    from distributed import WorkerPlugin

    class Door(WorkerPlugin):  # type: ignore[misc]
        """Turns away who has other versions: such a worker leaves the cluster, with its nanny."""

        def setup(self, worker: Any) -> None:
            try:
                check_versions(job.versions)
            except OtherVersionsError as error:
                worker.loop.add_callback(worker.close, reason=str(error))
                raise

    return Door()


class ClusterPlace:
    """Runs batches on a cluster."""

    def __init__(self, job: Sent, address: str, workers: int) -> None:
        self._distributed = require_dask()
        self._job, self._address, self._count = job, address, workers
        self._client: Any = None
        self._cluster: Any = None
        self._known, self._looked, self._met = 0, -LOOK, time.monotonic()
        self._watch = ClusterWatch()
        self._open: set[Future[Any]] = set()
        self._door = ""

    def __enter__(self) -> ClusterPlace:
        """Start the cluster if there is none, and meet its scheduler."""
        for name in TALKATIVE:
            logging.getLogger(name).setLevel(QUIET)  # what matters is told by the sweep
        if self._address == LOCAL:
            self._cluster = self._start()
        try:
            self._meet(ARRIVAL)
        except BaseException:
            self.__exit__(None, None, None)
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Leave the cluster, and end it if it is ours."""
        client, cluster, door = self._client, self._cluster, self._door
        if client is not None:
            with suppress(Exception):  # whoever comes to the cluster later is not our concern
                call_within(ANSWER, lambda: client.unregister_worker_plugin(door))
            with suppress(Exception):
                call_within(ANSWER, lambda: client.close(timeout=5))
        if cluster is not None:
            with suppress(Exception):
                call_within(2 * ANSWER, lambda: cluster.close(timeout=ANSWER))

    def _start(self) -> Any:
        """Start a cluster of our own."""
        try:
            return call_within(
                START,
                lambda: self._distributed.LocalCluster(
                    n_workers=self._count,
                    threads_per_worker=1,
                    dashboard_address=":0",  # some free port: another may have the usual one
                    worker_dashboard_address=":0",
                    silence_logs=QUIET,
                ),
            )
        except (RuntimeError, OSError) as error:
            told = f"{type(error).__name__}: {error}".splitlines()[0]
            problem = f"does not start ({told})"
            remedy = (
                "Its workers import your program: call sweep under if __name__ == '__main__'; "
                "or leave the cluster out, threads are as quick on one machine."
            )
            raise InputError("--cluster", LOCAL, problem, remedy) from None

    def _meet(self, patience: float) -> None:
        """Connect, look at the workers and send the job."""
        end = time.monotonic() + patience
        where = self._cluster if self._cluster is not None else self._address
        self._client = _insist(
            lambda: call_within(
                2 * ANSWER,
                lambda: self._distributed.Client(where, timeout=5, set_as_default=False),
            ),
            end,
            lambda error: InputError(
                "--cluster",
                self._address,
                f"has no scheduler that answers ({error})",
                "Give the address that dask scheduler shows, as tcp://host:8786.",
            ),
        )
        self._looked = -LOOK
        while not self.workers:
            if time.monotonic() > end:
                remedy = "Start dask worker with that address, on as many machines as you like."
                raise InputError("--cluster", self._address, "has no worker", remedy)
            time.sleep(0.1)
            self._looked = -LOOK
        self._check_workers(end)
        key = f"rths-job-{self._job.key[:32]}-{time.monotonic_ns()}"
        self._sent = self._client.submit(_receive, self._job, key=key)
        self._watch = ClusterWatch()

    def _check_workers(self, end: float) -> None:
        """Look at those that are there, and have everyone looked at who comes later."""
        client, versions = self._client, dict(self._job.versions)
        self._door = f"rths-door-{self._job.key[:32]}-{time.monotonic_ns()}"
        while True:
            try:
                call_within(ARRIVAL, lambda: client.run(check_versions, versions))
                call_within(
                    ARRIVAL, lambda: client.register_plugin(_make_door(self._job), self._door)
                )
                return
            except InputError:
                raise
            except Exception as error:
                gone = isinstance(error, OSError)  # one that was killed while we looked
                if gone and time.monotonic() < end:
                    time.sleep(0.1)
                    continue
                told = f"{type(error).__name__}: {error}".splitlines()[0]
                problem = f"has a worker that does not take the job ({told})"
                remedy = "Install the same rths[cluster] on every worker."
                raise InputError("--cluster", self._address, problem, remedy) from None

    @property
    def workers(self) -> int:
        """Threads of all workers."""
        self._count_workers()
        return self._known

    def _count_workers(self) -> None:
        """Count the workers, if that was not done just now; a scheduler may not answer."""
        if time.monotonic() - self._looked <= LOOK:
            return
        with suppress(Exception):
            self._known = sum(self._ask("ncores").values())
            self._met = time.monotonic() if self._known else self._met
            if self._cluster is not None and self._known < self._count:
                self._cluster.scale(self._count)  # one that Dask has given up starts anew
        self._looked = time.monotonic()

    def _ask(self, question: str) -> Any:
        """Ask the scheduler."""
        client = self._client
        return call_within(ANSWER, lambda: client.sync(getattr(client.scheduler, question)))

    def submit(self, number: int) -> Future[Batch]:
        """Give out a batch."""
        return self.call(run_batch, number)

    def call(self, function: Callable[..., Any], *given: Any) -> Future[Any]:
        """Have a function called with the job, which a worker has already, and what is given."""
        found: Future[Any] = Future()
        self._watch.hear()
        try:
            sent = self._client.submit(function, self._sent, *given, pure=False)
            self._client.loop.add_callback(_pass_on, self._client, sent, found)
        except (Exception, CancelledError) as error:
            found.set_exception(ConnectionError(f"{type(error).__name__} {error}"))
            return found
        self._open.add(found)
        found.add_done_callback(self._close)
        return found

    def _close(self, found: Future[Any]) -> None:
        """Note that an answer has come."""
        self._open.discard(found)
        self._watch.hear()

    @property
    def is_sound(self) -> bool:
        """Whether the scheduler that has the job is there, and somebody who works at it."""
        self._count_workers()
        deserted = time.monotonic() - self._met > ARRIVAL
        known = self._sent.status not in ("cancelled", "lost", "error")
        if self._watch.wants_look:
            with suppress(Exception):
                self._watch.look(self._ask("identity")["workers"])
        there = self._client.status == "running" and known and not deserted
        return bool(there and not self._watch.is_stuck)

    def recover(self, error: BaseException) -> bool:
        """Wait for a scheduler that is gone, or tell that none comes.

        What has lost a worker is just given out again.
        """
        if self._answers():
            return True
        client = self._client
        with suppress(Exception):
            call_within(ANSWER, lambda: client.close(timeout=1))
        for left in list(self._open):  # nobody else will say that these are lost
            _tell(left.set_exception, ConnectionError("the scheduler is gone"))
        self._meet(ARRIVAL)
        return True

    def _answers(self) -> bool:
        """Ask the scheduler."""
        try:
            return self.is_sound and bool(self._ask("identity"))
        except Exception:
            return False


async def _pass_on(client: Any, sent: Any, found: Future[Any]) -> None:
    """Wait for a task of Dask; give what it found, or why it did not, to whoever waits for it."""
    try:
        result = await client.gather(sent, asynchronous=True)
    except Exception as error:
        _tell(found.set_exception, error)
    except BaseException as error:  # given up by Dask, or with all that its client waits for
        _tell(found.set_exception, ConnectionError(f"{type(error).__name__} {error}"))
        raise
    else:
        _tell(found.set_result, result)


def _tell(put: Callable[[Any], None], what: Any) -> None:
    with suppress(InvalidStateError):  # it was given up meanwhile
        put(what)


def _insist(act: Callable[[], Any], end: float, explain: Callable[[Exception], InputError]) -> Any:
    """Try again until it succeeds or time is up."""
    while True:
        try:
            return act()
        except (OSError, TimeoutError, ValueError) as error:
            if time.monotonic() > end or isinstance(error, ValueError):
                told = str(error).splitlines()[0] if str(error) else type(error).__name__
                raise explain(type(error)(told)) from None
            time.sleep(0.5)
