"""Checks of several nodes, and of results in an object store."""

import signal

from checks_of_sources import expect, needs
from nodes import plain, png, width_of_png
from processes import free_port

THUMBNAIL = "rs:fit:32:32"


def thumbnail(key, options=THUMBNAIL):
    return plain(key, options) + "@png"


def all_for(fleet, store, other):
    """The checks of one store, by name. The originals of those that stop the store are in the other one."""
    return [
        ("an empty node answers from another one's work", lambda: empty_node(fleet, store)),
        ("damaged pages are misses, and wrong for nobody", lambda: damaged(fleet, store)),
        ("nodes with other settings share a prefix", lambda: other_settings(fleet, store)),
        ("a purge reaches three nodes and the far store", lambda: purge_everywhere(fleet, store)),
        ("a purge that misses a node is a 502 without a far store", lambda: purge_of_lost_node(fleet, store)),
        ("a node that was away obeys before its first answer", lambda: purge_of_absent_node(fleet, store)),
        ("a node that was away obeys beside a far store that is stopped", lambda: purge_beside_stopped(fleet, store, other)),
        ("nodes serve while the far store is stopped", lambda: stopped(fleet, store, other)),
        ("a wrong secret turns the far store off", lambda: wrong_secret(fleet, store, other)),
    ]


def far(fleet, store, prefix, **place):
    """The options of a node with sources and results in one store."""
    needs(fleet, "--far")
    return fleet.place(store) + fleet.place(store, "results", **place) + [
        "--far", "s3://results/" + prefix, "--far-writes", "all"]


def pages(store, prefix):
    return store.list(prefix + "/2/", "results")


def until_written(fleet, node, store, prefix, count):
    fleet.processes.until(node.process, lambda: len(pages(store, prefix)) >= count)


def empty_node(fleet, store):
    keys = ["far/%d.png" % number for number in range(8)]
    for number, key in enumerate(keys):
        store.put(key, png(64, number), "image/png")
    first = fleet.node(far(fleet, store, "empty"), fleet.disk())
    results = [first.get(thumbnail(key)) for key in keys]
    expect(first.decodes == len(keys), "%d decodes by the first node" % first.decodes)
    until_written(fleet, first, store, "empty", len(keys))
    expect(len(pages(store, "empty")) == len(keys), "the far store has %d pages" % len(pages(store, "empty")))
    first.end()
    # Nobody could make the results again.
    for key in keys:
        store.client().delete_object(Bucket=store.bucket, Key=key)
    second = fleet.node(far(fleet, store, "empty"), fleet.disk())
    for key, result in zip(keys, results):
        expect(second.get(thumbnail(key)) == result, "another result for %s" % key)
    expect(second.decodes == 0, "%d decodes by the second node" % second.decodes)


def damaged(fleet, store):
    keys = ["damage/%d.png" % number for number in range(6)]
    for number, key in enumerate(keys):
        store.put(key, png(64, 20 + number), "image/png")
    first = fleet.node(far(fleet, store, "damage"))
    results = {key: first.get(thumbnail(key)) for key in keys}
    until_written(fleet, first, store, "damage", len(keys))
    names = pages(store, "damage")
    whole = [store.get(name, "results") for name in names]
    bit = bytearray(whole[2])
    bit[-1] ^= 1
    changed = [whole[0][:-20], b"", bytes(bit), whole[4], b"<Error><Code>SlowDown</Code></Error>", whole[5] + b"x"]
    for name, data in zip(names, changed):
        store.put(name, data, "application/octet-stream", "results")
    second = fleet.node(far(fleet, store, "damage"))
    for key, result in results.items():
        expect(second.get(thumbnail(key)) == result, "another result for %s" % key)
    expect(second.metric("far_lookups_total") >= len(keys), "the second node did not look in the far store")
    expect(second.decodes == len(keys), "%d decodes for %d damaged pages" % (second.decodes, len(keys)))


def other_settings(fleet, store):
    store.put("settings.png", png(64, 30), "image/png")
    for limit in (48, 24, 48):
        node = fleet.node(far(fleet, store, "settings") + ["--max-result", str(limit)])
        width = width_of_png(node.get(thumbnail("settings.png", "rs:fit:60:60")))
        expect(width == limit, "a result of %d pixels beside --max-result %d" % (width, limit))
        fleet.processes.until(node.process, lambda: len(pages(store, "settings")) >= 1)
        node.end()


def three(fleet, options):
    """Three nodes that know each other, each with its own disk."""
    needs(fleet, "--nodes")
    ports, disks = [free_port() for _ in range(3)], [fleet.disk() for _ in range(3)]

    def start(number, own=options):
        others = ",".join("127.0.0.1:%d" % port for port in ports if port != ports[number])
        return fleet.node(own + ["--nodes", others], disks[number], ports[number])
    return [start(number) for number in range(3)], start


def purge_everywhere(fleet, store):
    options = far(fleet, store, "purge") if "--far " in fleet.options else fleet.place(store)
    nodes, _ = three(fleet, options)
    versions = [png(64, 40), png(64, 41)]
    store.put("purged.png", versions[0], "image/png")
    store.put("kept.png", versions[0], "image/png")
    before = {node.get(thumbnail("purged.png")) for node in nodes} | {node.get(thumbnail("kept.png")) for node in nodes}
    expect(len(before) == 1, "%d results of one image" % len(before))
    if "--far " in fleet.options:
        until_written(fleet, nodes[0], store, "purge", 2)
    store.put("purged.png", versions[1], "image/png")
    status, answer = nodes[0].purge(source="s3://photos/purged.png")
    expect(status == 200, "%d for a purge: %s" % (status, answer))
    if "--far " in fleet.options:
        fleet.processes.until(nodes[0].process, lambda: len(pages(store, "purge")) == 1)
    after = {node.get(thumbnail("purged.png")) for node in nodes}
    expect(len(after) == 1 and not after & before, "a node answers with the purged result")
    # The results of other sources stay.
    decodes = [node.decodes for node in nodes]
    expect({node.get(thumbnail("kept.png")) for node in nodes} == before, "another result of another source")
    expect([node.decodes for node in nodes] == decodes, "a result of another source was made again")


def purge_of_lost_node(fleet, store):
    nodes, _ = three(fleet, fleet.place(store))
    store.put("lost.png", png(64, 45), "image/png")
    before = nodes[1].get(thumbnail("lost.png"))
    store.put("lost.png", png(64, 46), "image/png")
    nodes[2].end()
    status, answer = nodes[0].purge(source="s3://photos/lost.png")
    expect(status == 502, "%d for a purge that one node has not taken: %s" % (status, answer))
    expect(nodes[1].get(thumbnail("lost.png")) != before, "a node that runs answers with the purged result")


def purge_of_absent_node(fleet, store):
    options = far(fleet, store, "away")
    nodes, start = three(fleet, options)
    store.put("away.png", png(64, 50), "image/png")
    before = {node.get(thumbnail("away.png")) for node in nodes}
    until_written(fleet, nodes[0], store, "away", 1)
    nodes[2].end()
    store.put("away.png", png(64, 51), "image/png")
    status, answer = nodes[0].purge(source="s3://photos/away.png")
    expect(status == 200, "%d for a purge that the far store keeps: %s" % (status, answer))
    returned = start(2)
    expect(returned.get(thumbnail("away.png")) not in before, "the returned node answers with the purged result")
    expect(nodes[1].get(thumbnail("away.png")) not in before, "another node answers with the purged result")


def purge_beside_stopped(fleet, store, other):
    """The returned node cannot list the purges in the far store, but the others know them."""
    needs(fleet, "--far")
    nodes, start = three(fleet, fleet.place(other) + fleet.place(store, "results") + [
        "--far", "s3://results/beside", "--far-writes", "all"])
    other.put("beside.png", png(64, 52), "image/png")
    before = {node.get(thumbnail("beside.png")) for node in nodes}
    nodes[2].end()
    other.put("beside.png", png(64, 53), "image/png")
    status, answer = nodes[0].purge(source="s3://photos/beside.png")
    expect(status == 200, "%d for a purge that the far store keeps: %s" % (status, answer))
    store.process.send_signal(signal.SIGSTOP)
    try:
        returned = start(2)
        for _ in range(20):
            expect(returned.get(thumbnail("beside.png")) not in before, "the returned node answers with the purged result")
    finally:
        store.process.send_signal(signal.SIGCONT)


def stopped(fleet, store, other):
    needs(fleet, "--far")
    keys = ["stopped/%d.png" % number for number in range(12)]
    for number, key in enumerate(keys):
        other.put(key, png(64, 60 + number), "image/png")
    node = fleet.node(fleet.place(other) + fleet.place(store, "results") + [
        "--far", "s3://results/stopped", "--far-writes", "all"])
    first = node.get(thumbnail(keys[0]))
    store.process.send_signal(signal.SIGSTOP)
    try:
        for key in keys[1:]:
            node.get(thumbnail(key))
        expect(node.get(thumbnail(keys[0])) == first, "another result for the same image")
    finally:
        store.process.send_signal(signal.SIGCONT)


def wrong_secret(fleet, store, other):
    needs(fleet, "--far")
    other.put("off.png", png(64, 70), "image/png")
    node = fleet.node(fleet.place(other) + fleet.place(store, "results", profile=store.name + "-wrong") + [
        "--far", "s3://results/off", "--far-writes", "all"])
    node.get(thumbnail("off.png"))
    fleet.processes.until(node.process, lambda: "SignatureDoesNotMatch" in node.log())
    node.get(thumbnail("off.png", "rs:fit:31:31"))
