"""Starts a program with the stores that an older one has written, and compares each of its answers with those of empty stores.

    upgrade.py write PROGRAM FILE    writes FILE with an older program
    upgrade.py check PROGRAM FILE    tests a newer one

stores-1e53c3fe.tar.xz was written on 2026-11-29 by a release build of commit 1e53c3fe, the last one before the decoders' version 6 and
the rules' version 2, for Debian 12. Its images are drawn below. It holds the stores of `calotype serve`, `proxy` and `fetch`, the
outputs of `resize --if-changed` with their record, the images, and the digests of all answers.

An origin at ORIGIN, which is part of the stores' keys, counts the requests: a fresh source causes none, a stale one a 304, one that has
changed a whole answer. Results of the older decoders are made again, once. The server's store counts as purged: it has no table of purges.
"""
import hashlib, http.client, http.server, json, os, pathlib, re, shutil, signal, sqlite3, struct, subprocess, sys, tarfile
import tempfile, threading, time, zlib

task, program, archive = sys.argv[1], os.path.abspath(sys.argv[2]), os.path.abspath(sys.argv[3])
ORIGIN = ("127.83.21.7", 47310)
origin_url = "http://%s:%d" % ORIGIN
names = ["fresh", "large", "stale", "changed", "purged"]
targets = [f"/_/w:{width}/plain/{origin_url}/{name}.png@{format}"
           for name in names for width, format in [(48, "jpg"), (40, "png"), (32, "webp")]]


def drawn(name, second=False):
    """A PNG of waves, with noise in `large`, which makes its body a file of the store."""
    noise = name == "large"
    width, height = (128, 96) if noise else (96, 72)
    seed, rows = len(name) * 7 + (100 if second else 0), bytearray()
    for y in range(height):
        rows.append(0)
        for x in range(width):
            for channel in (3, 5, 11):
                seed = (seed * 1103515245 + 12345) & 0x7FFFFFFF
                wave = (x * channel + y * (14 - channel) + 40 * names.index(name) + 90 * second) % 256
                rows.append(seed >> 23 if noise else wave)

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    level = 0 if noise else 9
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(bytes(rows), level)) + chunk(b"IEND", b"")


class Origin(http.server.BaseHTTPRequestHandler):
    """Images with an entity tag: fresh for thirty years, or for a second."""
    protocol_version = "HTTP/1.1"
    images, requests, lock = {}, [], threading.Lock()

    def do_GET(self):
        name = pathlib.PurePath(self.path).stem
        body, tag = self.images[name], '"%s"' % hashlib.sha256(self.images[name]).hexdigest()[:16]
        status = 304 if tag in self.headers.get("If-None-Match", "") else 200
        with self.lock:
            self.requests.append((name, status))
        age = 1 if name in ("stale", "changed") else 1_000_000_000
        self.send_response(status)
        for field in [("ETag", tag), ("Cache-Control", f"max-age={age}")]:
            self.send_header(*field)
        if status == 200:
            self.send_header("Content-Type", "image/png")
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if status == 200:
            self.wfile.write(body)

    def log_message(self, *_):
        pass

    @classmethod
    def taken(cls):
        """The requests since the last call, in the order of their names."""
        with cls.lock:
            taken, cls.requests = sorted(cls.requests), []
        return taken


class Server:
    """`calotype serve` or `proxy`, ended with the block. Its only message has the text `line`, or there is none."""

    def __init__(self, *arguments, line=""):
        self.arguments, self.line = [program, *arguments, "--listen", "127.0.0.1:0"], line

    def __enter__(self):
        self.errors = tempfile.TemporaryFile()
        self.process = subprocess.Popen(self.arguments, stdout=subprocess.PIPE, stderr=self.errors, text=True)
        line = self.process.stdout.readline()
        found = re.search(r"http://127\.0\.0\.1:(\d+)", line)
        assert found, f"{self.arguments} did not start: {line} {self.error_text()}"
        self.port = int(found[1])
        return self

    def error_text(self):
        self.errors.seek(0)
        return self.errors.read().decode()

    def get(self, target):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        connection.request("GET", target)
        response = connection.getresponse()
        body = response.read()
        connection.close()
        assert response.status == 200, f"{target}: {response.status} {body[:200]}\n{self.error_text()}"
        return body, response.headers.get("Cache-Status", "")

    def __exit__(self, kind, *_):
        self.process.send_signal(signal.SIGTERM)
        status, text = self.process.wait(30), self.error_text()
        right = self.line in text and len(text.splitlines()) == bool(self.line)
        assert kind or (status == 0 and right), f"{self.arguments} ended with {status}: {text}"


def serve(*store, line=""):
    # The older program needs a root.
    return Server("serve", "--insecure", "--root", "/usr", "--allow-source", origin_url, "--allow-address", ORIGIN[0] + "/32", *store, line=line)


def run(*arguments):
    ended = subprocess.run([program, *arguments], capture_output=True, text=True)
    assert ended.returncode == 0, f"{arguments} ended with {ended.returncode}: {ended.stderr}"
    return ended.stdout + ended.stderr


def fetch(name, folder, *arguments):
    """The file that `calotype fetch` writes; `--no-cache` without a folder."""
    with tempfile.TemporaryDirectory() as output:
        cache = ["--cache-dir", folder] if folder else ["--no-cache"]
        run("fetch", f"{origin_url}/{name}.png", *cache, *arguments, "--output", output)
        return next(pathlib.Path(output).iterdir()).read_bytes()


def resize(folder):
    return run("resize", f"{folder}/images", "--output", f"{folder}/resized", "--size", "48", "--format", "jpeg", "--if-changed")


thumbnail = ("--size", "48", "--format", "png")


def digest(body):
    return hashlib.sha256(body).hexdigest()


def write(folder):
    os.mkdir(f"{folder}/images")
    for name in names:
        Origin.images[name] = drawn(name)
        pathlib.Path(f"{folder}/images/{name}.png").write_bytes(Origin.images[name])
    with serve("--store", f"{folder}/serve") as server:
        digests = {target: digest(server.get(target)[0]) for target in targets}
    run("serve", "--store", f"{folder}/serve", "--purge", f"{origin_url}/purged.png")
    with Server("proxy", "--origin", origin_url, "--store", f"{folder}/proxy") as server:
        for name in names:
            server.get(f"/{name}.png")
    for name in names:
        fetch(name, f"{folder}/fetch")
        digests[name] = digest(fetch(name, f"{folder}/fetch", *thumbnail))
    resize(folder)
    for file in pathlib.Path(f"{folder}/resized").glob("*.jpg"):
        digests[file.name] = digest(file.read_bytes())
    pathlib.Path(f"{folder}/digests.json").write_text(json.dumps(digests, indent=0))
    with tarfile.open(archive, "w:xz", preset=9) as tar:
        for entry in sorted(os.listdir(folder)):
            tar.add(f"{folder}/{entry}", entry)


def use_today(folder):
    """Notes all entries as stored and used today: the command removes what it has not used for a week."""
    for index in pathlib.Path(folder).rglob("*"):
        if index.is_file() and index.read_bytes()[:15] == b"SQLite format 3":
            connection = sqlite3.connect(index)
            with connection:
                connection.execute("UPDATE entries SET stored_at = strftime('%s'), last_used = strftime('%s') * 1000000")
            connection.close()


def check(folder):
    with tarfile.open(archive) as tar:
        tar.extractall(folder)
    use_today(folder)
    old = json.loads(pathlib.Path(f"{folder}/digests.json").read_text())
    for name in names:
        Origin.images[name] = drawn(name, second=name == "changed")
    with serve() as server:
        right = {target: server.get(target)[0] for target in targets}
    Origin.taken()
    unlike = [target for target in targets if digest(right[target]) != old[target]]
    assert any("/fresh" in target for target in unlike), "no result of this version differs: nothing tells an old one from a new one"

    def compare(server, which, state):
        for target in which:
            body, status = server.get(target)
            assert body == right[target], f"{target} is {'that of before' if digest(body) == old[target] else 'wrong'}: {status}"
            assert state in status, f"{target}: {status}"

    with serve("--store", f"{folder}/serve", line="counts as a hard purge of all sources") as server:
        for name in names:
            compare(server, [target for target in targets if f"/{name}." in target], "fwd=")
        taken = Origin.taken()
        assert {(name, 200) for name in names} == set(taken), f"serve asked the origin for {taken}"
        # The purge of everything also covers what is requested within a second after it.
        end = time.monotonic() + 30
        while any("hit" not in server.get(target)[1] for target in targets[:6]):
            assert time.monotonic() < end, "results do not become hits"
        Origin.taken()
        compare(server, targets[:6], "hit")
    with serve("--store", f"{folder}/serve") as server:
        compare(server, targets[:6], "hit")
    assert not Origin.taken(), "serve asked for a fresh source"

    with Server("proxy", "--origin", origin_url, "--store", f"{folder}/proxy") as server:
        for name in names:
            body, status = server.get(f"/{name}.png")
            assert body == Origin.images[name], f"proxy, {name}: a wrong body, {status}"
    taken = Origin.taken()
    assert taken == [("changed", 200), ("stale", 304)], f"proxy asked the origin for {taken}"

    made = [fetch(name, f"{folder}/fetch", *thumbnail) for name in names]
    taken = Origin.taken()
    assert taken == [("changed", 200), ("stale", 304)], f"fetch asked the origin for {taken}"
    assert made == [fetch(name, None, *thumbnail) for name in names], "fetch made an image that is wrong, or that of before"
    Origin.taken()
    for name in ("fresh", "large", "purged"):
        assert fetch(name, f"{folder}/fetch") == Origin.images[name], f"fetch, {name}: other bytes than the origin's"
    assert not Origin.taken(), "fetch asked for a fresh image"

    resized = {file.name: file.stat().st_mtime_ns for file in pathlib.Path(f"{folder}/resized").glob("*.jpg")}
    resize(folder)
    kept = [name for name, time in resized.items() if os.stat(f"{folder}/resized/{name}").st_mtime_ns == time]
    assert len(resized) == len(names) and not kept, f"resize --if-changed kept files of the older decoders: {kept}"
    again = {name: os.stat(f"{folder}/resized/{name}").st_mtime_ns for name in resized}
    resize(folder)
    assert again == {name: os.stat(f"{folder}/resized/{name}").st_mtime_ns for name in again}, "resize --if-changed made files twice"

    for store in (f"{folder}/serve/sources", f"{folder}/serve/results", f"{folder}/proxy", f"{folder}/fetch"):
        run("cache", "verify", "--cache-dir", store)
    print(f"{len(targets)} results, {len(unlike)} of which differ from those of before; 3 stores, 5 sources: right, and hits where they may be")


try:
    server = http.server.ThreadingHTTPServer(ORIGIN, Origin)
except OSError as error:
    print(f"NOT RUN: {ORIGIN[0]}:{ORIGIN[1]}: {error.strerror}")
    sys.exit(77)
threading.Thread(target=server.serve_forever, daemon=True).start()
folder = tempfile.mkdtemp()
try:
    {"write": write, "check": check}[task](folder)
finally:
    shutil.rmtree(folder, ignore_errors=True)
