"""Runs all checks of a fleet with a program of `calotype`: fleet.py PROGRAM [TEXT ...]

Prints a line for each check. With texts, only the checks run whose line contains one.
"""

import os
import shutil
import signal
import sys
import tempfile
import time

import checks_of_nodes
import checks_of_purges
import checks_of_sources
from ceph import Ceph
from nodes import Fleet
from processes import Failure, Missing, Processes
from stores import Moto, Swift


class Run:
    def __init__(self, wanted):
        self.wanted = wanted
        self.counts = {"ok": 0, "FAIL": 0, "skip": 0}

    def report(self, outcome, name, reason="", seconds=None):
        self.counts[outcome] += 1
        time_taken = "" if seconds is None else " (%.1f s)" % seconds
        print("%-4s %s%s%s" % (outcome, name, time_taken, ": " + reason if reason else ""), flush=True)

    def check(self, name, body, processes):
        if self.wanted and not any(text in name for text in self.wanted):
            return
        start, before = time.monotonic(), list(processes.running)
        try:
            body()
            self.report("ok", name, seconds=time.monotonic() - start)
        except Missing as reason:
            self.report("skip", name, str(reason))
        except Exception as error:
            self.report("FAIL", name, "%s%s" % ("" if isinstance(error, Failure) else type(error).__name__ + " ", error))
        for process in [each for each in processes.running if each not in before]:
            processes.end(process)


def start_stores(run, processes, folder):
    tools = os.path.join(sys.prefix, "bin")
    stores = []
    for name, make in (("moto", lambda: Moto(processes, tools)),
                       ("swift", lambda: Swift(processes, tools, os.path.join(folder, "swift"))),
                       ("ceph", lambda: Ceph(processes, os.path.join(folder, "ceph")))):
        try:
            stores.append(make())
        except Missing as reason:
            run.report("skip", name, str(reason))
        except Failure as reason:
            run.report("FAIL", name, str(reason))
    return stores


def main(program, wanted):
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    run = Run(wanted)
    start = time.monotonic()
    folder = tempfile.mkdtemp(prefix="calotype-fleet-")
    processes = Processes(folder)
    try:
        stores = start_stores(run, processes, folder)
        fleet = Fleet(processes, program, folder, stores)
        for name, body in checks_of_purges.all_alone(fleet):
            run.check(name, body, processes)
        for store in stores:
            for name, body in checks_of_sources.all_for(fleet, store):
                run.check("%s: %s" % (store.name, name), body, processes)
            other = next((each for each in stores if each is not store), store)
            nodes = checks_of_nodes.all_for(fleet, store, other) + checks_of_purges.all_for_store(fleet, store, other)
            if store is stores[0]:
                nodes += checks_of_purges.all_once(fleet, store, other)
            for name, body in nodes:
                run.check("%s: %s" % (store.name, name), body, processes)
    except KeyboardInterrupt:
        return 130
    finally:
        processes.end_all()
        shutil.rmtree(folder, ignore_errors=True)
    print("%d passed, %d failed, %d skipped" % (run.counts["ok"], run.counts["FAIL"], run.counts["skip"]), end="")
    print(" in %.0f s" % (time.monotonic() - start))
    return 1 if run.counts["FAIL"] or not run.counts["ok"] else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
