"""Ceph's object gateway on loopback, in front of a cluster that keeps its objects in memory."""

import os
import shutil
import subprocess
import uuid

from processes import Failure, Missing, free_port
from stores import Keys, Store


class Ceph(Store):
    """radosgw checks signatures and the clock. Behind it are one monitor, and one device without replicas."""

    checks_clock = True
    packages = ("ceph-mon", "ceph-osd", "radosgw")

    def __init__(self, processes, folder):
        super().__init__("ceph", free_port(), "eu-central-1")
        missing = [package for package in self.packages if not shutil.which(package)]
        if missing:
            raise Missing("without the packages " + ", ".join(missing))
        self.processes, self.folder = processes, folder
        self.configuration = os.path.join(folder, "ceph.conf")
        self.keys = Keys("calotype", "a-secret-of-calotype")
        self.start_cluster()
        self.run("radosgw-admin", "user", "create", "--uid=calotype", "--display-name=calotype",
                 "--access-key=" + self.keys.identifier, "--secret-key=" + self.keys.secret)
        self.process = self.start_door(self.port)
        for bucket in (self.bucket, "results"):
            self.client().create_bucket(Bucket=bucket)

    def start_cluster(self):
        monitor, device = free_port(), str(uuid.uuid4())
        for part in ("mon", "osd"):
            os.makedirs(os.path.join(self.folder, part))
        # A gateway would encrypt its connection to the monitor, which takes keys. A pool waits for a round of the monitor.
        with open(self.configuration, "w") as file:
            file.write(
                "[global]\nfsid = %s\nmon initial members = a\nmon host = [v2:127.0.0.1:%d]\n"
                "auth cluster required = none\nauth service required = none\nauth client required = none\n"
                "ms bind msgr1 = false\nms mon client mode = crc\n"
                "run dir = %s\nadmin socket =\nlog file =\nlog to stderr = true\nkeyring =\n"
                "osd pool default size = 1\nosd pool default min size = 1\nosd pool default pg num = 1\n"
                "osd pool default pg autoscale mode = off\nmon allow pool size one = true\nosd crush chooseleaf type = 0\n"
                "paxos propose interval = 0.1\n"
                "[mon]\nmon data = %s/mon\n[osd]\nosd data = %s/osd\nosd objectstore = memstore\n"
                "public addr = 127.0.0.1\ncluster addr = 127.0.0.1\n"
                % (uuid.uuid4(), monitor, self.folder, self.folder, self.folder))
        self.run("ceph-mon", "--mkfs", "-i", "a")
        self.processes.until_listening(self.start("ceph-mon", "-i", "a"), monitor)
        self.run("ceph", "osd", "new", device)
        self.run("ceph-osd", "--mkfs", "-i", "0", "--osd-uuid", device)
        self.start("ceph-osd", "-i", "0")

    def run(self, program, *words):
        try:
            subprocess.run([program, "-c", self.configuration, *words], capture_output=True, text=True, check=True, timeout=120)
        except subprocess.CalledProcessError as error:
            raise Failure("%s %s: %s%s" % (program, words[0], error.stdout, error.stderr)) from error
        except subprocess.TimeoutExpired as error:
            raise Failure("%s %s does not end" % (program, words[0])) from error

    def start(self, program, *words, name=None, environment=None):
        return self.processes.start(name or program, [program, "-f", "-c", self.configuration, *words], environment)

    def start_door(self, port, name="radosgw", environment=None):
        """Starts a further door to the same objects."""
        process = self.start("radosgw", "-n", "client." + name, "--rgw-frontends", "beast endpoint=127.0.0.1:%d" % port,
                             name=name, environment=environment)
        self.processes.until_listening(process, port)
        return process
