"""Checks of originals in buckets."""

import unicodedata

from nodes import in_base64, plain, png
from processes import Failure, Missing
from stores import refusal

KEYS = [
    "a=b.png", "a:b.png", "a+b.png", "a%41b.png", "two blanks  .png", " first.png", "a//b.png", "/c.png", "d..e.png",
    unicodedata.normalize("NFC", "é.png"), unicodedata.normalize("NFD", "é.png"), "q?x=1&y#z@png", "'(*)!~;,$[]{}|\\^`<>\".png",
    "k" * 1024]


def expect(condition, text):
    if not condition:
        raise Failure(text)


def needs(fleet, *options):
    for option in options:
        if option + " " not in fleet.options:
            raise Missing("the program has no " + option)


def all_for(fleet, store):
    """The checks of one store, by name."""
    return [
        ("refuses a wrong secret, and a wrong region", lambda: store_refuses(store)),
        ("sources load, with odd keys", lambda: odd_keys(fleet, store)),
        ("absent objects, prefixes and buckets are refused", lambda: absent(fleet, store)),
        ("keys from the environment load a source", lambda: from_environment(fleet, store)),
        ("a wrong secret is a 502, and a line of the log", lambda: wrong_secret(fleet, store)),
        ("an unchanged source is revalidated, not loaded", lambda: revalidated(fleet, store)),
        ("a new object is fresh for the default time", lambda: fresh(fleet, store)),
        ("a store's region is learned", lambda: other_region(fleet, store)),
        ("a clock that is 20 minutes off is corrected", lambda: late_clock(fleet, store)),
        ("keys from a machine's metadata load a source", lambda: metadata(fleet, store)),
    ]


def store_refuses(store):
    store.put("probe", b"probe", "text/plain")
    wrong = type(store.keys)(store.keys.identifier, "wrong")
    answer = refusal(lambda: store.client(wrong).get_object(Bucket=store.bucket, Key="probe"))
    expect(answer == (403, "SignatureDoesNotMatch"), "the answer to a wrong secret is %s" % (answer,))
    expect(store.get("probe") == b"probe" and "probe" in store.list(), "the object is not there")
    store.client().delete_object(Bucket=store.bucket, Key="probe")
    expect("probe" not in store.list(), "the object is there after its removal")
    if store.checks_region:
        status, body = store.raw("/%s/probe" % store.bucket, region="us-west-2")
        expect(status == 400 and b"<Region>%s<" % store.region.encode() in body,
               "the answer to a wrong region is %d: %r" % (status, body))


def odd_keys(fleet, store):
    node = fleet.node(fleet.place(store))
    wrong = []
    for number, key in enumerate(KEYS):
        image = png(16 + number, number)
        try:
            store.put(key, image, "image/png")
            if store.get(key) != image:
                raise Failure("it has another object")
        except Exception as error:  # Any refusal of the store or of its client.
            print("     %s does not keep the key %.40r: %s" % (store.name, key, str(error)[:100]), flush=True)
            continue
        for path in (in_base64(key, "raw:1"), plain(key, "raw:1")):
            # A URL may have 8 KB, and a key in base64 or with escapes has fewer.
            status, body = node.ask(path)
            if (status, body) != (200, image):
                wrong.append("%.40r %d %r" % (key, status, body[:80]))
    expect(not wrong, "\n".join(wrong))


def absent(fleet, store):
    store.put("public/a.png", png(20, 1), "image/png")
    store.put("private/a.png", png(20, 2), "image/png")
    node = fleet.node(fleet.place(store) + ["--allow-source", "s3://photos/public"])
    expect(node.ask(plain("public/none.png", "raw:1"))[0] == 404, "an absent object is not a 404")
    expect(node.ask(plain("a.png", "raw:1", bucket="others"))[0] == 403, "another bucket is not a 403")


def from_environment(fleet, store):
    image = png(24, 5)
    store.put("environment.png", image, "image/png")
    node = fleet.node(
        fleet.place(store, profile=""),
        environment={"AWS_ACCESS_KEY_ID": store.keys.identifier, "AWS_SECRET_ACCESS_KEY": store.keys.secret,
                     "AWS_SHARED_CREDENTIALS_FILE": "/nonexistent"})
    expect(node.get(plain("environment.png", "raw:1")) == image, "the answer is another image")


def wrong_secret(fleet, store):
    store.put("secret.png", png(24, 6), "image/png")
    node = fleet.node(fleet.place(store, profile=store.name + "-wrong"))
    status, body = node.ask(plain("secret.png", "raw:1"))
    expect(status == 502, "the answer is %d: %r" % (status, body[:100]))
    # Lines of the log come later than the answer.
    fleet.processes.until(node.process, lambda: "SignatureDoesNotMatch" in node.log())
    expect(b"Signature" not in body and store.keys.identifier.encode() not in body, "the client sees %r" % body)


def revalidated(fleet, store):
    image = png(40, 7)
    store.put("stale.png", image, "image/png")
    node = fleet.node(fleet.place(store) + ["--ttl", "1"])
    fleet.processes.until(node.process, lambda: (
        node.get(plain("stale.png", "w:20") + "@png") and node.metric("origin_responses_total", '"304"') >= 1))
    expect(node.metric("origin_responses_total", '"200"') == 1, "the source was loaded again")
    expect(node.decodes == 1, "%d decodes of one image" % node.decodes)


def fresh(fleet, store):
    store.put("fresh.png", png(40, 11), "image/png")
    node = fleet.node(fleet.place(store))
    for _ in range(3):
        node.get(plain("fresh.png", "w:20") + "@png")
    count = node.metric("origin_responses_total")
    expect(count == 1, "%d requests for an object that is fresh for an hour" % count)


def other_region(fleet, store):
    if not store.checks_region:
        raise Missing("%s takes any region" % store.name)
    image = png(24, 8)
    store.put("region.png", image, "image/png")
    node = fleet.node(fleet.place(store, region=""), environment={"AWS_REGION": "us-west-2"})
    expect(node.get(plain("region.png", "raw:1")) == image, "the answer is another image")


def late_clock(fleet, store):
    if not store.checks_clock:
        raise Missing("%s takes any time" % store.name)
    image = png(24, 9)
    store.put("clock.png", image, "image/png")
    port = store.start_late_door(20)
    answer = refusal(lambda: store.client(port=port).get_object(Bucket=store.bucket, Key="clock.png"))
    expect(answer == (403, "RequestTimeTooSkewed"), "the answer to a wrong time is %s" % (answer,))
    node = fleet.node(fleet.place(store, port=port))
    expect(node.get(plain("clock.png", "raw:1")) == image, "the answer is another image")


def metadata(fleet, store):
    if not store.has_metadata:
        raise Missing("%s has no metadata service" % store.name)
    image = png(24, 10)
    service = store.unchecked(fleet.processes)
    service.put("machine.png", image, "image/png")
    node = fleet.node(
        fleet.place(service, profile=""),
        environment={"AWS_EC2_METADATA_DISABLED": "false", "AWS_EC2_METADATA_SERVICE_ENDPOINT": service.endpoint,
                     "AWS_SHARED_CREDENTIALS_FILE": "/nonexistent"})
    expect(node.get(plain("machine.png", "raw:1")) == image, "the answer is another image")
