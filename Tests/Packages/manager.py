"""A service manager in small: opens a socket, and restarts a server on it while clients ask.

    manager.py REQUESTS RESTARTS TARGET PROGRAM [ARGUMENT ...]

The server gets the socket as descriptor 3 and NOTIFY_SOCKET, and a watchdog of 400 ms. A client connects for each request.
Prints one line of figures; the status is 1 if a request was refused or cut, or if the server did not report what it should.
"""
import atexit, os, shutil, signal, socket, statistics, subprocess, sys, tempfile, threading, time

requests, restarts, target, program = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3], sys.argv[4:]
listening = socket.create_server(("127.0.0.1", 0), backlog=4096)
# As DeferAcceptSec of the socket unit: a client is accepted once its request has arrived.
listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_DEFER_ACCEPT, 5)
port = listening.getsockname()[1]
folder = tempfile.mkdtemp()
servers = []


def clean():
    """Ends the servers that a failure has left, and removes the folder."""
    for server in servers:
        if server.poll() is None:
            server.kill()
            server.wait()
    shutil.rmtree(folder, ignore_errors=True)


atexit.register(clean)
# The step's end reaches this process as SIGTERM, which would skip `clean`.
signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
notices = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
notices.bind(folder + "/notify")
notices.settimeout(60)


def start():
    script = 'exec 3<&0 </dev/null; export LISTEN_PID=$$; exec "$@"'
    names = {"LISTEN_FDS": "1", "LISTEN_FDNAMES": "http", "NOTIFY_SOCKET": folder + "/notify", "WATCHDOG_USEC": "400000"}
    servers.append(subprocess.Popen(["sh", "-c", script, "sh"] + program, stdin=listening, stdout=subprocess.DEVNULL,
                                    env={**os.environ, **names}))
    return servers[-1]


def wait_for(state):
    while state not in notices.recv(4096).decode().split("\n"):
        pass


server = start()
wait_for("READY=1")
wait_for("WATCHDOG=1")
faults, times = [], []


def ask(count):
    for _ in range(count):
        begin = time.monotonic()
        try:
            with socket.create_connection(("127.0.0.1", port), timeout=30) as client:
                client.sendall(f"GET {target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode())
                answer = b""
                while part := client.recv(65536):
                    answer += part
            head, _, body = answer.partition(b"\r\n\r\n")
            lengths = [int(line[15:]) for line in head.split(b"\r\n") if line.lower().startswith(b"content-length:")]
            if not head.startswith(b"HTTP/1.1 200") or lengths != [len(body)]:
                faults.append(head[:60] or b"no answer")
        except OSError as error:
            faults.append(error)
        times.append(time.monotonic() - begin)
        # The requests last as long as the restarts.
        time.sleep(pause)


pause = 0.0
clients = [threading.Thread(target=ask, args=(requests // 4,), daemon=True) for _ in range(4)]
if restarts:
    pause = restarts * 1.0 / (requests // 4)
for client in clients:
    client.start()
for _ in range(restarts):
    time.sleep(0.5)
    server.send_signal(signal.SIGTERM)
    wait_for("STOPPING=1")
    if server.wait(60) != 0:
        faults.append(f"status {server.returncode}")
    server = start()
    wait_for("READY=1")
for client in clients:
    client.join()
server.send_signal(signal.SIGTERM)
wait_for("STOPPING=1")
if server.wait(60) != 0:
    faults.append(f"status {server.returncode}")
p99 = statistics.quantiles(times, n=100)[98] * 1000
print(f"{len(times)} requests, {restarts} restarts: p99 {p99:.1f} ms, {len(faults)} refused or cut", *faults[:5])
sys.exit(1 if faults else 0)
