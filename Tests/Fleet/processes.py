"""Processes that end with their program, and the ports that they listen on."""

import os
import signal
import socket
import subprocess
import time

ports = set()


class Failure(Exception):
    """A check that failed, or a server that did not start."""


class Missing(Exception):
    """A part that this machine lacks: its checks are skipped."""


def free_port():
    """A port that nothing on this machine listens on, and that no other call has returned."""
    while True:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        if port not in ports:
            ports.add(port)
            return port


def faketime():
    """The library that changes a process's clock."""
    library = "/usr/lib/%s/faketime/libfaketimeMT.so.1"
    found = [path for path in (library % machine for machine in os.listdir("/usr/lib")) if os.path.exists(path)]
    if not found:
        raise Missing("libfaketime is not installed")
    return found[0]


class Processes:
    """The processes that were started here. The kernel ends each of them with this program, whatever ends it."""

    def __init__(self, folder):
        self.folder = folder
        self.running = []

    def start(self, name, command, environment=None):
        """Starts a program, whose output goes to the file `name`.log."""
        with open(os.path.join(self.folder, name + ".log"), "ab") as log:
            process = subprocess.Popen(
                ["setpriv", "--pdeathsig", "KILL", *command],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, env={**os.environ, **(environment or {})})
        process.name = name
        self.running.append(process)
        return process

    def log(self, process):
        with open(os.path.join(self.folder, process.name + ".log"), encoding="utf-8", errors="replace") as log:
            return log.read()

    def until(self, process, condition, seconds=30):
        """Waits for a condition, and fails if the process ends before."""
        end = time.monotonic() + seconds
        while not condition():
            if process.poll() is not None or time.monotonic() > end:
                raise Failure("%s does not come to the state that is waited for:\n%s" % (
                    process.name, self.log(process)[-2000:]))
            time.sleep(0.05)

    def until_listening(self, process, port):
        def listens():
            with socket.socket() as probe:
                return probe.connect_ex(("127.0.0.1", port)) == 0
        self.until(process, listens)

    def end(self, process, by=signal.SIGTERM):
        """Ends a process, and waits for it, for 10 seconds at most."""
        if process.poll() is None:
            process.send_signal(by)
            process.send_signal(signal.SIGCONT)
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        if process in self.running:
            self.running.remove(process)

    def end_all(self):
        for process in self.running:
            if process.poll() is None:
                process.send_signal(signal.SIGCONT)
                process.terminate()
        for process in list(reversed(self.running)):
            self.end(process)
