"""Checks of what purges promise: with clocks that are off, processes that are stopped or killed, and many at once."""

import http.client
import json
import os
import random
import signal
import threading
import time

from checks_of_nodes import far, three, thumbnail
from checks_of_sources import expect, needs
from doors import Door, Origin
from nodes import TOKEN, png
from processes import faketime, free_port


def all_for_store(fleet, store, other):
    """The checks of one store, by name. The originals of those that stop the store are in the other one."""
    return [
        ("a node that was away obeys beside a far store that is dead", lambda: away(fleet, store, other, "dead")),
        ("a node that was away obeys beside a far store that is slow", lambda: away(fleet, store, other, "slow")),
    ]


def all_once(fleet, store, other):
    """The checks that take a minute each, which run with one store."""
    return [
        ("clocks a minute and eight seconds off are stated, and no purge is lost",
         lambda: clocks(fleet, store, other)),
        ("10,000 purges over three nodes cost the same each", lambda: many(fleet, store)),
    ]


def all_alone(fleet):
    """The checks without a store."""
    return [
        ("a process that is stopped while it makes a result sends nothing purged", lambda: stopped(fleet)),
        ("a node that is killed while it purges keeps each purge that it has answered", lambda: killed(fleet)),
    ]


def together(count, body):
    """Runs a body with each number in threads of their own, and returns the results."""
    results, errors = [None] * count, []

    def run(number):
        try:
            results[number] = body(number)
        except Exception as error:
            errors.append(error)
    threads = [threading.Thread(target=run, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]
    return results


# Clocks

OFFSETS = [-60, -8, 8, 60]


def clocks(fleet, store, other):
    """Nodes whose clocks are off write results that a right one purges, and purge results that a right one has written."""
    options = fleet.place(other) + fleet.place(store, "results") + ["--far", "s3://results/clocks", "--far-writes", "all"]
    needs(fleet, "--nodes")
    library = faketime()
    theirs = ["clocks/theirs/%d.png" % offset for offset in OFFSETS]
    ours = ["clocks/ours/%d.png" % offset for offset in OFFSETS]
    for key in theirs + ours:
        other.put(key, png(64, 90), "image/png")
    ports = [free_port() for _ in range(len(OFFSETS) + 1)]

    def start(number, offset=0):
        others = ",".join("127.0.0.1:%d" % port for port in ports if port != ports[number])
        environment = {"LD_PRELOAD": library, "FAKETIME": "%+d" % offset, "DONT_FAKE_MONOTONIC": "1"} if offset else {}
        return fleet.node(options + ["--no-isolate", "--nodes", others], fleet.disk(), ports[number], environment,
                          waits=offset == 0)
    right = start(0)
    wrong = [start(number + 1, offset) for number, offset in enumerate(OFFSETS)]
    for node, offset in zip(wrong, OFFSETS):
        fleet.processes.until(node.process, lambda node=node: b"the clock is" in node.readiness())
        seconds = int(node.readiness().split(b"the clock is ")[1].split()[0])
        expect(abs(seconds - abs(offset)) <= 1, "a clock %d s off is stated as %d s" % (offset, seconds))
    before = {node.get(thumbnail(key)) for node, key in zip(wrong, theirs)} | {right.get(thumbnail(key)) for key in ours}
    expect(len(before) == 1, "%d results of one image" % len(before))
    # Results that are to be written are written within a second.
    time.sleep(2)
    for key in theirs + ours:
        other.put(key, png(64, 91), "image/png")
    for node, key, own in zip(wrong, theirs, ours):
        for purger, url in ((right, key), (node, own)):
            status, answer = purger.purge(prefix="s3://photos/" + url)
            expect(status == 200, "%d for a purge: %s" % (status, answer))

    def check(nodes, time_of_check):
        for node in nodes:
            for key in theirs + ours:
                expect(node.get(thumbnail(key)) not in before,
                       "%s answers with a purged result of %s" % (time_of_check, key))
    check([fleet.node(options, fleet.disk()), right, *wrong], "a node at once")
    # The times of pages of a clock that is ahead have come.
    time.sleep(max(OFFSETS) + 15)
    check([fleet.node(options, fleet.disk()), right], "a node a minute later")


# Far stores

def away(fleet, store, other, kind):
    """The returned node alone has a far store that does not answer, or late; the others know the purge."""
    needs(fleet, "--far")
    originals = fleet.place(other)
    where = ["--far", "s3://results/" + kind, "--far-writes", "all"]
    nodes, start = three(fleet, originals + fleet.place(store, "results") + where)
    keys = ["%s/%d.png" % (kind, number) for number in range(9)]
    for key in keys:
        other.put(key, png(64, 92), "image/png")
    before = {node.get(thumbnail(key)) for key in keys for node in nodes}
    nodes[2].end()
    for key in keys:
        other.put(key, png(64, 93), "image/png")
    status, answer = nodes[0].purge(prefix="s3://photos/%s" % kind)
    expect(status == 200, "%d for a purge that the far store keeps: %s" % (status, answer))
    door = free_port() if kind == "dead" else Door(store.port, delay=3).port
    # A node of the same disk and port, with another way to the far store.
    returned = start(2, originals + fleet.place(store, "results", port=door) + where)
    for number in range(90):
        expect(returned.get(thumbnail(keys[number % 9])) not in before, "the returned node answers with a purged result")


# Stopped and killed processes

def stopped(fleet):
    """Two processes of one store. One is stopped while it waits for a source, and for five seconds in all."""
    origin, disk = Origin(), fleet.disk()
    first, second = fleet.node(origin.options, disk), fleet.node(origin.options, disk)
    hit, made = origin.thumbnail("hit.png"), origin.thumbnail("made.png")
    for name in ("hit.png", "made.png"):
        origin.put(name, png(64, 94))
    for _ in range(3):
        before = {first.get(hit), second.get(hit)}
    hold = origin.hold("made.png")
    early = threading.Thread(target=first.ask, args=(made,))
    early.start()
    fleet.processes.until(first.process, hold.is_taken)
    first.process.send_signal(signal.SIGSTOP)
    for name in ("hit.png", "made.png"):
        origin.put(name, png(64, 95))
    status, answer = second.purge(prefix=origin.url)
    expect(status == 200, "%d for a purge: %s" % (status, answer))
    time.sleep(4.5)
    timer = threading.Timer(0.5, lambda: (hold.release(), first.process.send_signal(signal.SIGCONT)))
    timer.start()
    # These requests wait in the sockets of the stopped process.
    answers = together(40, lambda number: first.get(made if number % 4 == 0 else hit))
    early.join()
    expect(not set(answers) & before, "%d of 40 answers are purged" % sum(answer in before for answer in answers))
    for node in (first, second, fleet.node(origin.options, disk)):
        for path in (hit, made):
            expect(node.get(path) not in before, "a purged result was stored")


def killed(fleet, rounds=int(os.environ.get("CALOTYPE_KILLS", "20"))):
    """Four clients purge until the node is killed, at any time."""
    needs(fleet, "--admin-token")
    disk, admin, answered = fleet.disk(), free_port(), set()
    for turn in range(rounds + 1):
        node = fleet.node(["--no-isolate"], disk, admin)
        # A lost purge stays lost.
        if turn % 25 == 0 or turn == rounds:
            known = node.purges()
            expect(all("all" not in purge for purge in known), "everything was purged in round %d" % turn)
            lost = answered - {purge["source"] for purge in known}
            expect(not lost, "%d answered purges are lost in round %d" % (len(lost), turn))

        def purge(client, turn=turn, node=node):
            for number in range(1000):
                url = "local:///%d/%d/%d.jpg" % (turn, client, number)
                try:
                    if node.purge(source=url)[0] == 200:
                        answered.add(url)
                except (OSError, http.client.HTTPException):
                    return
        threading.Timer(random.uniform(0, 0.1), node.process.kill).start()
        together(4, purge)
        node.end()
    expect(answered, "no purge was answered")
    print("     %d kills, %d purges answered, none lost" % (rounds + 1, len(answered)), flush=True)


# Many purges

def many(fleet, store, count=10_000, clients=12):
    """Purges over three nodes as fast as they take them, beside hits of another source."""
    nodes, _ = three(fleet, far(fleet, store, "many") + ["--no-isolate"])
    store.put("many.png", png(64, 96), "image/png")
    path = thumbnail("many.png")
    for node in nodes:
        for _ in range(3):
            node.get(path)
    hits = [Hits(node, path) for node in nodes]
    quiet = [each.median(400) for each in hits]
    numbers, lock, costs, failures = iter(range(count)), threading.Lock(), [], []
    start, sizes = time.monotonic(), [node.memory() for node in nodes]
    parts = count // 4

    def purge(client):
        connection = http.client.HTTPConnection("127.0.0.1", nodes[client % 3].admin, timeout=60)
        while True:
            with lock:
                number = next(numbers, None)
                if number is not None and number % parts == 0:
                    costs.append((time.monotonic(), sum(node.processor_time() for node in nodes)))
            if number is None:
                return
            body = json.dumps({"source": "https://purged.test/%d/%d.jpg" % (number % 97, number)})
            connection.request("POST", "/.calotype/purge", body, {"Authorization": "Bearer " + TOKEN})
            answer = connection.getresponse()
            text = answer.read()
            if answer.status != 200:
                failures.append((answer.status, text))
    busy = threading.Thread(target=lambda: together(clients, purge))
    busy.start()
    loud = [each.median(400) for each in hits]
    busy.join()
    costs.append((time.monotonic(), sum(node.processor_time() for node in nodes)))
    seconds = time.monotonic() - start
    expect(not failures, "%d purges failed, such as %s" % (len(failures), failures[:1]))
    each = [1000 * (after[1] - before[1]) / parts for before, after in zip(costs, costs[1:])]
    paces = [parts / (after[0] - before[0]) for before, after in zip(costs, costs[1:])]
    grown = [(node.memory() - size) / 1e6 for node, size in zip(nodes, sizes)]
    print("     %d purges in %.0f s; per purge, all nodes together, in four parts: %s ms of processor; %s per second; "
          "memory +%s MB; hits %s ms, beside them %s ms" % (
              count, seconds, ", ".join("%.2f" % cost for cost in each), ", ".join("%.0f" % pace for pace in paces),
              "/".join("%.0f" % size for size in grown), "/".join("%.2f" % (1000 * each) for each in quiet),
              "/".join("%.2f" % (1000 * each) for each in loud)), flush=True)
    for node in nodes:
        expect(len(node.purges()) == count, "a node has %d of %d purges" % (len(node.purges()), count))
    expect(max(each) <= 1.5 * each[0] + 0.5, "later purges cost more than the first ones: %s ms" % each)
    expect(max(grown) < 100, "the nodes have grown by %s MB" % grown)
    expect(nodes[0].get(path) == nodes[1].get(path), "another result of a source that was not purged")


class Hits:
    """Requests for one result over one connection."""

    def __init__(self, node, path):
        self.connection, self.path = http.client.HTTPConnection("127.0.0.1", node.port, timeout=60), path

    def median(self, count):
        """The median time of a hit, in seconds."""
        times = []
        for _ in range(count):
            start = time.monotonic()
            self.connection.request("GET", self.path)
            answer = self.connection.getresponse()
            answer.read()
            expect(answer.status == 200, "%d for a stored result" % answer.status)
            times.append(time.monotonic() - start)
        return sorted(times)[count // 2]
