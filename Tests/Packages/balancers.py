"""Starts three nodes and an example of a balancer in front of them, and asks it.

    balancers.py haproxy|nginx|tier|varnish CALOTYPE IMAGES FOLDER

All sizes of a source must meet one node, whatever the signature, the options and the extension. A node that is killed, and
comes back, must give no error. A node that drains must get no request where the balancer asks whether nodes are ready. Clients
must not reach /health. Caches must answer known URLs themselves. Ends with 77 if the balancer is missing.
"""

import base64
import http.client
import itertools
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time

kind = sys.argv[1]
calotype, images, folder = map(os.path.abspath, sys.argv[2:])
program = {"haproxy": "haproxy", "nginx": "nginx", "tier": "nginx", "varnish": "varnishd"}[kind]
examples = os.path.join(os.path.dirname(__file__), "..", "..", "Examples")
folder = os.path.join(folder, kind)
hosts = ["127.0.0.2", "127.0.0.3", "127.0.0.4"]
sources = 24
children = []


def fail(text):
    sys.exit(f"{kind}: {text}")


def free_port():
    """A port that is free on all addresses."""
    with socket.create_server(("0.0.0.0", 0)) as server:
        return server.getsockname()[1]


def start(command, log):
    child = subprocess.Popen(command, stdout=open(log + ".out", "w"), stderr=open(log + ".err", "w"), cwd=folder)
    children.append(child)
    return child


def wait(condition, what, limit=60):
    end = time.monotonic() + limit
    while not condition():
        if time.monotonic() > end:
            fail(f"{what}: not within {limit} s")
        time.sleep(0.05)


class Node:
    """A node whose answers have a lifetime of their own, by which the test recognizes them."""

    def __init__(self, number):
        self.host, self.number = hosts[number], number
        self.start()

    def start(self):
        log = os.path.join(folder, f"node{self.number}")
        self.child = start([
            calotype, "serve", "--root", images, "--insecure", "--listen", f"{self.host}:{port}", "--admin",
            f"{self.host}:{admin}", "--ttl", str(100_000 * (self.number + 1)), "--no-isolate",
            # Longer than the test waits for anything.
            "--drain-delay", "300",
        ], log)
        wait(lambda: self.child.poll() is not None or self.is_ready(), f"the node {self.number}")
        if self.child.poll() is not None:
            fail(open(log + ".err").read())

    def page(self, name):
        return ask(self.host, admin, f"/.calotype/{name}")

    def is_ready(self):
        try:
            return self.page("ready")[0] == 200
        except OSError:
            return False

    def count(self):
        text = self.page("metrics")[2].decode()
        return sum(float(n) for n in re.findall(r"^calotype_serve_requests_total\{.*\} (\S+)$", text, re.M))


def ask(host, port, path, method="GET", fields={}):
    connection = http.client.HTTPConnection(host, port, timeout=30)
    try:
        connection.request(method, path, headers=fields)
        answer = connection.getresponse()
        return answer.status, dict((k.lower(), v) for k, v in answer.getheaders()), answer.read()
    finally:
        connection.close()


def get(path):
    return ask("127.0.0.1", front, path)


def node_of(path):
    status, fields, _ = get(path)
    if status != 200:
        fail(f"{path}: {status}")
    return round(int(re.search(r"max-age=(\d+)", fields["cache-control"]).group(1)) / 100_000) - 1


def counted():
    """The requests that have reached the nodes, when none is in progress."""
    while True:
        count = sum(node.count() for node in nodes)
        time.sleep(0.2)
        if count == sum(node.count() for node in nodes):
            return count


def configured(*names):
    """The text of examples, with the test's addresses."""
    text = "".join(open(os.path.join(examples, name)).read() for name in names)
    for number, host in enumerate(hosts):
        text = text.replace(f"10.0.0.{number + 1}:8080", f"{host}:{port}").replace(f'"10.0.0.{number + 1}"', f'"{host}"')
    for old, new in [("8080", port), ("8081", admin)]:
        text = text.replace(f'.port = "{old}"', f'.port = "{new}"')
    text = text.replace("port 8081", f"port {admin}")
    return text


def begin():
    file = os.path.join(folder, "conf")
    if kind == "haproxy":
        text = configured("haproxy/haproxy.cfg").replace("bind :8090", f"bind 127.0.0.1:{front}")
        command = ["haproxy", "-db", "-f", file]
    elif kind == "varnish":
        text = configured("varnish/calotype.vcl")
        command = ["varnishd", "-F", "-j", "none", "-f", file, "-a", f"127.0.0.1:{front}", "-n", folder + "/work", "-s",
                   "malloc,64m"]
    else:
        names = ["nginx/nodes.conf"] + (["nginx/tier.conf"] if kind == "tier" else [])
        text = configured(*names).replace("/var/cache/nginx", folder + "/cache")
        os.makedirs(folder + "/cache")
        own, other = (8091, 8090) if kind == "tier" else (8090, 8091)
        text = text.replace(f"listen {own}", f"listen 127.0.0.1:{front}").replace(f"listen {other}", f"listen 127.0.0.1:{free_port()}")
        places = "".join(f"{name}_temp_path {folder}/{name};\n"
                         for name in ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"])
        text = (f"daemon off; pid {folder}/pid; error_log {folder}/log;\nevents {{}}\nhttp {{ access_log off;\n{places}{text}}}\n")
        command = ["nginx", "-c", file, "-p", folder]
    open(file, "w").write(text)
    child = start(command, os.path.join(folder, "balancer"))

    def is_up():
        if child.poll() is not None:
            fail(open(os.path.join(folder, "balancer.err")).read())
        try:
            return get(plain(0, "/_/w:20"))[0] == 200
        except OSError:
            return False

    wait(is_up, "the balancer")


def plain(source, before, extension=""):
    return f"{before}/plain/local:///many/{source}.jpg{'@' + extension if extension else ''}"


def encoded(source, before, extension=""):
    text = base64.urlsafe_b64encode(f"local:///many/{source}.jpg".encode()).decode().rstrip("=")
    return f"{before}/{text}{'.' + extension if extension else ''}"


def check_sources():
    met = set()
    for source in range(sources):
        for spelled in [plain, encoded]:
            paths = [
                spelled(source, "/_/w:64", "webp"), spelled(source, "/_/w:65"), spelled(source, "/other/rs:fit:40:40/q:50", "png"),
                spelled(source, "/5f_-x/w:66/h:30/sh:0.5", "jpg"), spelled(source, "/_", "png"),
                spelled(source, "/_/w:67", "webp") + "?v=2",
            ]
            found = {node_of(path) for path in paths}
            if len(found) != 1:
                fail(f"the nodes {found} have been asked for one source: {paths}")
            met |= found
    if len(met) != len(nodes):
        fail(f"{len(met)} of {len(nodes)} nodes have been asked for {2 * sources} sources")


def check_cache():
    known = [plain(source, "/_/w:64", "webp") for source in range(sources)]
    for path in known:
        node_of(path)
    before = counted()
    for path in known:
        node_of(path)
    if counted() != before:
        fail("known URLs have reached the nodes")
    for path in [plain(source, "/_/w:70", "webp") for source in range(sources)]:
        node_of(path)
    if counted() != before + sources:
        fail(f"{sources} new sizes have cost {counted() - before} requests")


def check_ban():
    path, other = plain(1, "/_/w:64", "webp"), plain(2, "/_/w:64", "webp")
    before = counted()
    for name, wanted in [("plain/local:///many/1.jpg", 200), ("", 400), ('a" || true', 400)]:
        status = ask("127.0.0.1", front, "/", "BAN", {"X-Source": name})[0]
        if status != wanted:
            fail(f"a ban of {name!r} is answered with {status}")
    node_of(path), node_of(other)
    if counted() != before + 1:
        fail("the ban of one source has had another effect")


def check_health():
    """Clients learn nothing about the nodes, whose own port answers /health."""
    if ask(hosts[0], port, "/health")[0] != 200 or get("/health")[0] != 404:
        fail("clients reach /health")


def check_drain():
    """A node that drains, and still answers, gets no new request once a probe has seen it."""
    widths = itertools.count(700)

    def asked():
        width = next(widths)
        return {node_of(plain(source, f"/_/w:{width}", "webp")) for source in range(sources)}

    nodes[2].child.send_signal(signal.SIGTERM)
    wait(lambda: asked() == {0, 1}, "requests beside the node that drains")
    if nodes[2].child.poll() is not None or nodes[2].page("health")[0] != 200:
        fail("the drain was too short for this test")
    nodes[2].child.kill()
    nodes[2].child.wait()
    nodes[2].start()
    wait(lambda: asked() == {0, 1, 2}, "the return of the node")


def check_kill():
    problems, done, counts = [], threading.Event(), [0] * 8

    def load(number):
        turn = 0
        while not done.is_set():
            turn += 1
            # Mostly new URLs, so that caches have to ask the nodes.
            path = (plain if turn % 2 else encoded)((turn * 7 + number) % sources, f"/_/w:{20 + (turn * 8 + number) % 600}", "jpg")
            try:
                status = get(path)[0]
            except (OSError, http.client.HTTPException) as error:
                status = repr(error)
            counts[number] += 1
            if status != 200:
                problems.append(f"{path}: {status}")

    threads = [threading.Thread(target=load, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    wait(lambda: min(counts) > 10, "the load")
    nodes[1].child.send_signal(signal.SIGKILL)
    nodes[1].child.wait()
    before = sum(counts)
    time.sleep(2.5)
    nodes[1].start()
    time.sleep(1.5)
    done.set()
    for thread in threads:
        thread.join()
    if problems:
        fail(f"{len(problems)} errors after a kill: {problems[:3]}")
    if sum(counts) - before < 100:
        fail("there were too few requests")
    return sum(counts)


if not shutil.which(program):
    print(f"NOT RUN: {program} is missing")
    sys.exit(77)
shutil.rmtree(folder, ignore_errors=True)
os.makedirs(folder)
os.chmod(folder, 0o777)
many = os.path.join(images, "many")
os.makedirs(many, exist_ok=True)
for source in range(sources):
    shutil.copyfile(os.path.join(images, "cat.jpg"), os.path.join(many, f"{source}.jpg"))
port, admin, front = free_port(), free_port(), free_port()
nodes = []
try:
    for number in range(len(hosts)):
        nodes.append(Node(number))
    begin()
    check_sources()
    if kind in ["tier", "varnish"]:
        check_cache()
    if kind == "varnish":
        check_ban()
    check_health()
    if kind in ["haproxy", "varnish"]:
        check_drain()
    print(f"{kind}: each source meets one node; {check_kill()} requests without an error while a node was killed")
finally:
    for node in nodes:
        node.child.kill()
    for child in children:
        child.terminate()
    for child in children:
        try:
            child.wait(15)
        except subprocess.TimeoutExpired:
            child.kill()
