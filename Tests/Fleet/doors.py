"""Servers in this program: a slow door to a store, and an origin that holds its answers."""

import http.server
import socket
import threading
import time
import urllib.parse


class Door:
    """A port that passes connections on to another one, each part of a request later."""

    def __init__(self, port, delay):
        self.behind, self.delay = port, delay
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.port = self.socket.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            client, _ = self.socket.accept()
            server = socket.create_connection(("127.0.0.1", self.behind))
            for pair, delay in (((client, server), self.delay), ((server, client), 0)):
                threading.Thread(target=self.copy, args=(*pair, delay), daemon=True).start()

    def copy(self, source, drain, delay):
        try:
            while data := source.recv(65536):
                time.sleep(delay)
                drain.sendall(data)
            drain.shutdown(socket.SHUT_WR)
        except OSError:
            pass


class Hold:
    """The first request for an image waits, and gets the image of that time."""

    def __init__(self):
        self.taken, self.released = threading.Event(), threading.Event()

    def is_taken(self):
        return self.taken.is_set()

    def release(self):
        self.released.set()


class Origin:
    """An origin server of images, which are fresh for an hour."""

    def __init__(self):
        images, holds = self.images, self.holds = {}, {}

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                image, hold = images[self.path], holds.pop(self.path, None)
                if hold:
                    hold.taken.set()
                    hold.released.wait(60)
                self.send_response(200)
                for name, value in (("Content-Type", "image/png"), ("Cache-Control", "max-age=3600"),
                                    ("Content-Length", str(len(image)))):
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(image)

            def log_message(self, *words):
                pass
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = "http://127.0.0.1:%d" % self.server.server_address[1]
        self.options = ["--allow-source", self.url, "--allow-address", "127.0.0.0/8"]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def put(self, name, image):
        self.images["/" + name] = image

    def hold(self, name):
        hold = self.holds["/" + name] = Hold()
        return hold

    def thumbnail(self, name, options="rs:fit:32:32"):
        return "/_/%s/plain/%s@png" % (options, urllib.parse.quote("%s/%s" % (self.url, name), safe=":/"))
