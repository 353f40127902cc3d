"""Runs one command to its end and measures it. Every measurement of the benchmark is a process of its own."""

import dataclasses
import os
import signal
import subprocess
import tempfile
import threading
import time
from pathlib import Path


class Failed(Exception):
    """A sentence for the user."""


@dataclasses.dataclass
class Process:
    wall: float  # seconds
    cpu: float  # seconds, of all threads
    peak: int  # bytes, the largest resident set
    switches: int  # times that another process took the core away
    load: float  # the machine's load average when it began
    stdout: str
    timed_out: bool = False

    def record(self):
        """What every run's record holds."""
        return {
            "wall": self.wall,
            "cpu": self.cpu,
            "peak": self.peak,
            "switches": self.switches,
            "load": self.load,
            "timed_out": self.timed_out,
        }


def own_peak():
    """This process's largest resident set. The kernel counts it into its children's, so smaller peaks are not seen."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) * 1024
    return 0


ACTIVE = set()  # process groups that measure is waiting for, in whatever thread


def kill_active():
    """Ends all that measure is waiting for."""
    for pid in list(ACTIVE):
        kill_group(pid)


def kill_group(pid):
    try:
        os.killpg(pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


def measure(command, limit=None, environment=None):
    """Runs a command. Past `limit` seconds it is killed, and the result says so; other failures raise Failed."""
    command = [str(word) for word in command]
    load = os.getloadavg()[0]
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
        expired = threading.Event()
        start = time.perf_counter()
        try:
            # A session of its own, so that the limit and Ctrl-C reach whatever the command starts.
            child = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=err,
                start_new_session=True,
                env={**os.environ, **(environment or {})},
            )
        except OSError as error:
            raise Failed(f"{command[0]}: {error.strerror}") from error

        def expire():
            expired.set()
            kill_group(child.pid)

        ACTIVE.add(child.pid)
        timer = threading.Timer(limit, expire) if limit else None
        if timer:
            timer.start()
        try:
            _, status, usage = os.wait4(child.pid, 0)
        except BaseException:
            kill_group(child.pid)
            child.wait()
            raise
        finally:
            ACTIVE.discard(child.pid)
            wall = time.perf_counter() - start
            if timer:
                timer.cancel()
        child.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        err.seek(0)
        text, complaint = out.read(), err.read().strip()
    result = Process(
        wall=wall,
        cpu=usage.ru_utime + usage.ru_stime,
        peak=usage.ru_maxrss * 1024,
        switches=usage.ru_nivcsw,
        load=load,
        stdout=text,
        timed_out=expired.is_set(),
    )
    if child.returncode != 0 and not result.timed_out:
        raise Failed(f"{' '.join(command)}: exit {child.returncode}: {complaint[-500:]}")
    return result
