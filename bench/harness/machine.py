"""What the benchmark ran on, so that a record can be read a year later."""

import os
import platform
import re
import subprocess
import time
from pathlib import Path


def read(path):
    try:
        return Path(path).read_text()
    except OSError:
        return ""


def find(pattern, text, default=None):
    match = re.search(pattern, text)
    return match.group(1).strip() if match else default


def stolen():
    """The share of CPU time since boot that the hypervisor gave to others; None where it is not told."""
    fields = read("/proc/stat").split("\n", 1)[0].split()[1:]
    ticks = [int(field) for field in fields]
    return ticks[7] / sum(ticks) if len(ticks) > 7 and sum(ticks) else None


def revision(root):
    """The commit measured, with a + when files have been changed since."""
    found = subprocess.run(
        ["git", "-C", str(root), "describe", "--always", "--dirty=+"], capture_output=True, text=True, check=False
    )
    return found.stdout.strip() or None


def describe(root):
    memory = find(r"MemTotal:\s*(\d+)", read("/proc/meminfo"))
    governor = read("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor").strip()
    return {
        "processor": find(r"model name\s*:\s*(.*)", read("/proc/cpuinfo"), platform.machine()),
        "cores": os.cpu_count(),
        "usable_cores": len(os.sched_getaffinity(0)),
        "memory": int(memory) * 1024 if memory else None,
        "system": f"{platform.system()} {platform.release()}",
        "hypervisor": "hypervisor" in (find(r"flags\s*:\s*(.*)", read("/proc/cpuinfo"), "") or ""),
        "governor": governor or None,
        "huge_pages": find(r"\[(\w+)\]", read("/sys/kernel/mm/transparent_hugepage/enabled")),
        "load": os.getloadavg(),
        "stolen": stolen(),
        "time": time.strftime("%Y-%m-%dT%H:%M:%S%z"),
        "revision": revision(root),
    }


def sentence(about):
    memory = f", {about['memory'] / 2**30:.0f} GB" if about["memory"] else ""
    cores = f"{about['usable_cores']} core{'s' if about['usable_cores'] != 1 else ''}"
    virtual = ", virtual" if about["hypervisor"] else ""
    return f"{about['processor']}, {cores}{memory}{virtual}, {about['system']}"


def noise():
    """A warning when other programs are running; None on a quiet machine."""
    load = os.getloadavg()[0]
    if load < 0.5:
        return None
    return f"other programs are running (load average {load:.1f}): times will show it, compare CPU times too"
