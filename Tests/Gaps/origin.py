"""An origin server on loopback whose answers a case has written down, and a client of the caches in front of it."""

import email.utils
import http.client
import http.server
import threading
import time


def date(offset=0):
    return email.utils.formatdate(time.time() + offset, usegmt=True)


class Reply:
    """A value that begins with "@" is the date so many seconds from now. With `parts`, the reply obeys Range."""

    def __init__(self, status=200, fields=None, body="", parts=False):
        self.status, self.body, self.parts = status, body.encode(), parts
        self.fields = {"Date": "@0", **(fields or {})}

    def to(self, wanted):
        """Returns the status, fields and body for the value of Range, or for `None`."""
        if not self.parts or not wanted:
            return self.status, self.fields, self.body
        start, end = wanted.removeprefix("bytes=").split("-")
        body = self.body[int(start) : int(end) + 1 if end else None]
        span = f"bytes {start}-{int(start) + len(body) - 1}/{len(self.body)}"
        return 206, {**self.fields, "Content-Range": span}, body


class QuietServer(http.server.ThreadingHTTPServer):
    def handle_error(self, *_):
        """A cache may close a connection at any time."""


class Origin:
    def __init__(self, port):
        self.replies, self.requests, self.lock = {}, {}, threading.Lock()
        origin = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_):
                pass

            def handle_any(self):
                length = int(self.headers.get("Content-Length") or 0)
                self.rfile.read(length)
                path = self.path.split("?")[0]
                with origin.lock:
                    origin.requests.setdefault(path, []).append((self.command, self.path, dict(self.headers)))
                    queue = origin.replies.get(path, [])
                    reply = queue.pop(0) if len(queue) > 1 else queue[0] if queue else Reply(500, {}, "no reply")
                status, fields, body = reply.to(self.headers.get("Range"))
                self.send_response_only(status)
                for name, value in fields.items():
                    self.send_header(name, date(int(value[1:])) if value.startswith("@") else value)
                if status not in (204, 304):
                    self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                if self.command != "HEAD" and status not in (204, 304):
                    self.wfile.write(body)

            do_GET = do_HEAD = do_POST = handle_any

        self.server = QuietServer(("127.0.0.1", port), Handler)
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()


class Answer:
    def __init__(self, status, fields, body):
        self.status, self.fields, self.body = status, fields, body

    def __eq__(self, other):
        return (self.status, self.body) == other


class Case:
    """The requests of one case, to a path of its own."""

    def __init__(self, origin, address, path):
        self.origin, self.address, self.path = origin, address, path

    def answers(self, *replies):
        """Sets the replies of the origin, of which the last one is repeated."""
        with self.origin.lock:
            self.origin.replies[self.path] = list(replies)

    def send(self, fields=None, method="GET", query="", body=None):
        connection = http.client.HTTPConnection(*self.address, timeout=10)
        connection.request(method, self.path + query, body=body, headers=fields or {})
        response = connection.getresponse()
        answer = Answer(response.status, response.headers, response.read().decode())
        connection.close()
        return answer

    @property
    def asked(self):
        """The fields of the requests that the origin got."""
        with self.origin.lock:
            return [fields for _, _, fields in self.origin.requests.get(self.path, [])]
