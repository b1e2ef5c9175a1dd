"""The caches to compare: each with the directives that turn its cache on, and nothing else, on loopback and in the foreground."""

import os
import pathlib
import pwd
import socket
import subprocess
import time


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


NGINX = """
daemon off; pid {folder}/pid; error_log {folder}/error.log; user {user};
events {{}}
http {{
    access_log off;
    client_body_temp_path {folder}/body; proxy_temp_path {folder}/temp; fastcgi_temp_path {folder}/f;
    uwsgi_temp_path {folder}/u; scgi_temp_path {folder}/s;
    proxy_cache_path {folder}/cache keys_zone=cache:8m;
    server {{
        listen 127.0.0.1:{port};
        location / {{
            proxy_pass http://127.0.0.1:{origin};
            proxy_http_version 1.1;
            proxy_cache cache;
            proxy_cache_revalidate on;
        }}
    }}
}}
"""

SQUID = """
http_port 127.0.0.1:{port} accel defaultsite=127.0.0.1 no-vhost
cache_peer 127.0.0.1 parent {origin} 0 no-query originserver
http_access allow all
cache_mem 64 MB
pid_filename {folder}/pid
cache_log {folder}/cache.log
access_log none
cache_effective_user {user}
coredump_dir {folder}
"""

APACHE = """
ServerName 127.0.0.1
Listen 127.0.0.1:{port}
PidFile {folder}/pid
ErrorLog {folder}/error.log
DefaultRuntimeDir {folder}
User {user}
Group {group}
LoadModule mpm_event_module /usr/lib/apache2/modules/mod_mpm_event.so
LoadModule authz_core_module /usr/lib/apache2/modules/mod_authz_core.so
LoadModule proxy_module /usr/lib/apache2/modules/mod_proxy.so
LoadModule proxy_http_module /usr/lib/apache2/modules/mod_proxy_http.so
LoadModule cache_module /usr/lib/apache2/modules/mod_cache.so
LoadModule cache_disk_module /usr/lib/apache2/modules/mod_cache_disk.so
CacheRoot {folder}/cache
CacheEnable disk /
CacheQuickHandler off
ProxyPass / http://127.0.0.1:{origin}/
"""

VARNISH = """vcl 4.1;
backend default {{ .host = "127.0.0.1"; .port = "{origin}"; }}
"""


class Proxy:
    """A process of its own; `stop` ends it by its id."""

    def __init__(self, name, folder, origin, program):
        self.name, self.folder = name, pathlib.Path(folder) / name
        self.port, self.is_private = free_port(), name.endswith("private")
        self.folder.mkdir(mode=0o755)
        for part in ("cache", "body", "temp", "f", "u", "s"):
            (self.folder / part).mkdir()
        self.values = {"port": self.port, "origin": origin, "folder": self.folder, **self.owner()}
        log = open(self.folder / "output.log", "w")
        self.process = subprocess.Popen(self.command(program), stdout=log, stderr=log, stdin=subprocess.DEVNULL)
        self.wait()

    def owner(self):
        """A user without rights for the servers that give them up: root runs the comparison in containers."""
        if os.geteuid() != 0:
            user = pwd.getpwuid(os.geteuid()).pw_name
            return {"user": user, "group": user}
        nobody = {"nginx": "www-data", "squid": "proxy", "apache": "www-data"}.get(self.name, "nobody")
        if nobody != "nobody":
            entry = pwd.getpwnam(nobody)
            for place in [self.folder, *self.folder.iterdir()]:
                os.chown(place, entry.pw_uid, entry.pw_gid)
        return {"user": nobody, "group": nobody}

    def file(self, name, text):
        place = self.folder / name
        place.write_text(text.format(**self.values))
        return str(place)

    def command(self, program):
        if self.name.startswith("calotype"):
            mode = "private" if self.is_private else "shared"
            origin = f"http://127.0.0.1:{self.values['origin']}"
            return [program, "proxy", "--listen", f"127.0.0.1:{self.port}", "--origin", origin, "--mode", mode]
        if self.name == "nginx":
            return ["nginx", "-c", self.file("conf", NGINX), "-p", str(self.folder)]
        if self.name == "squid":
            return ["squid", "-N", "-f", self.file("conf", SQUID)]
        if self.name == "apache":
            return ["apache2", "-f", self.file("conf", APACHE), "-D", "FOREGROUND"]
        return [
            "varnishd", "-F", "-a", f"127.0.0.1:{self.port}", "-f", self.file("vcl", VARNISH), "-n",
            str(self.folder / "work"), "-s", "default,64m",
        ]

    def wait(self):
        for _ in range(150):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            if self.process.poll() is not None:
                break
            time.sleep(0.1)
        self.stop()
        raise SystemExit(f"{self.name} does not start: {(self.folder / 'output.log').read_text()[-2000:]}")

    def stop(self):
        self.process.terminate()
        try:
            self.process.wait(15)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
