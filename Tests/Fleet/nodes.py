"""Nodes of `calotype serve`, and the images that they load."""

import base64
import http.client
import json
import os
import re
import struct
import subprocess
import urllib.parse
import zlib

from processes import Failure, Missing, free_port

TOKEN = "an-admin-token-of-nodes"


def png(width, seed):
    """A PNG of square size, whose colors depend on the seed."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    rows = b"".join(
        b"\0" + bytes(value for x in range(width) for value in ((x + seed * 37) & 255, (y + seed * 91) & 255, seed & 255))
        for y in range(width))
    head = struct.pack(">IIBBBBB", width, width, 8, 2, 0, 0, 0)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows, 1)) + chunk(b"IEND", b""))


def width_of_png(data):
    if data[:8] != b"\x89PNG\r\n\x1a\n":
        raise Failure("the answer is not a PNG: %r" % data[:60])
    return struct.unpack(">I", data[16:20])[0]


def in_base64(key, options, bucket="photos"):
    """The path of a rendition whose source is written in base64."""
    source = ("s3://%s/%s" % (bucket, key)).encode()
    return "/_/%s/%s" % (options, base64.urlsafe_b64encode(source).decode().rstrip("="))


def plain(key, options, bucket="photos"):
    """The path of a rendition whose source is percent-encoded."""
    return "/_/%s/plain/s3://%s/%s" % (options, bucket, urllib.parse.quote(key.encode(), safe="/"))


class Fleet:
    """What the nodes have in common: the program, the keys of the stores, the token."""

    def __init__(self, processes, program, folder, stores):
        self.processes, self.program, self.folder = processes, program, folder
        asked = subprocess.run([program, "serve", "--help"], capture_output=True, text=True, check=True)
        self.options = asked.stdout
        self.credentials = os.path.join(folder, "credentials")
        with open(self.credentials, "w") as file:
            for store in stores:
                for profile, secret in ((store.name, store.keys.secret), (store.name + "-wrong", "wrong")):
                    file.write("[%s]\naws_access_key_id = %s\naws_secret_access_key = %s\n"
                               % (profile, store.keys.identifier, secret))
        self.token = os.path.join(folder, "token")
        with open(self.token, "w") as file:
            file.write(TOKEN + "\n")
        os.chmod(self.token, 0o600)
        self.root = os.path.join(folder, "root")
        os.makedirs(self.root)
        self.count = 0

    def disk(self):
        """A new path for a node's store."""
        self.count += 1
        return os.path.join(self.folder, "disk-%d" % self.count)

    def place(self, store, bucket="photos", profile=None, region=None, port=None):
        """The option with the place of a bucket."""
        if "--s3 " not in self.options:
            raise Missing("the program has no --s3")
        words = "%s endpoint=http://127.0.0.1:%d style=path" % (bucket, port or store.port)
        words += " profile=%s" % (profile or store.name) if profile != "" else ""
        region = store.region if region is None else region
        return ["--s3", words + (" region=" + region if region else "")]

    def node(self, options, disk=None, admin=None, environment=None, waits=True):
        """Starts a node, and waits until it listens, and by default until it is ready."""
        return Node(self, options, disk, admin or free_port(), environment or {}, waits)


class Node:
    """A running `calotype serve`."""

    def __init__(self, fleet, options, disk, admin, environment, waits):
        fleet.count += 1
        self.fleet, self.admin, self.port = fleet, admin, free_port()
        command = [
            fleet.program, "serve", "--root", fleet.root, "--insecure", "--listen", "127.0.0.1:%d" % self.port,
            "--admin", "127.0.0.1:%d" % admin, "--admin-token", fleet.token, "--log", "errors",
            "--allow-source", "s3://photos", *options, *(["--store", disk] if disk else [])]
        self.process = fleet.processes.start(
            "node-%d" % fleet.count, command,
            {"AWS_SHARED_CREDENTIALS_FILE": fleet.credentials, "AWS_CONFIG_FILE": "/nonexistent",
             "AWS_EC2_METADATA_DISABLED": "true", **environment})
        fleet.processes.until_listening(self.process, self.port)
        fleet.processes.until_listening(self.process, admin)
        if waits:
            fleet.processes.until(self.process, self.is_ready)

    def ask(self, path, port=None, method="GET", body=None, fields=None):
        connection = http.client.HTTPConnection("127.0.0.1", port or self.port, timeout=60)
        try:
            connection.request(method, path, body=body, headers=fields or {})
            answer = connection.getresponse()
            return answer.status, answer.read()
        finally:
            connection.close()

    def get(self, path):
        """The body of an answer that has to be 200."""
        status, body = self.ask(path)
        if status != 200:
            raise Failure("%d for %s: %s; the log: %s" % (status, path, body[:200].decode("utf-8", "replace"),
                                                         self.log()[-500:]))
        return body

    def is_ready(self):
        try:
            return self.ask("/.calotype/ready", self.admin)[0] == 200
        except OSError:
            return False

    def readiness(self):
        """The text of the page for load balancers, which states why the node is not ready."""
        return self.ask("/.calotype/ready", self.admin)[1]

    def metric(self, name, label=""):
        """The sum of a metric over its labels, or over those that contain a text."""
        page = self.ask("/.calotype/metrics", self.admin)[1].decode()
        lines = re.findall(r"^calotype_serve_%s(\{[^}]*\})? ([0-9.e+]+)$" % re.escape(name), page, re.MULTILINE)
        return sum(float(value) for labels, value in lines if label in labels)

    @property
    def decodes(self):
        return int(self.metric("decode_seconds_count"))

    def purge(self, **order):
        """The status and the answer of a purge."""
        status, body = self.ask(
            "/.calotype/purge", self.admin, "POST", json.dumps(order),
            {"Authorization": "Bearer " + TOKEN, "Content-Type": "application/json"})
        return status, body.decode("utf-8", "replace")

    def purges(self):
        """The purges that the node knows."""
        status, body = self.ask("/.calotype/purges", self.admin, fields={"Authorization": "Bearer " + TOKEN})
        if status != 200:
            raise Failure("%d for the list of purges" % status)
        return json.loads(body)["purges"]

    def processor_time(self):
        """The processor time of the process so far, in seconds."""
        with open("/proc/%d/stat" % self.process.pid) as file:
            words = file.read().rpartition(")")[2].split()
        return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")

    def memory(self):
        """The resident memory of the process, in bytes."""
        with open("/proc/%d/statm" % self.process.pid) as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    def log(self):
        return self.fleet.processes.log(self.process)

    def end(self):
        self.fleet.processes.end(self.process)
