"""Prints figures of two builds of calotype in turn: start to the first answer, idle memory, and hits per second.

    figures.py FOLDER PROGRAM [BASELINE]

FOLDER has a cat.jpg. Memory is the proportional set (PSS) of the server and its decoders, idle after their first image.
"""
import http.client, os, pathlib, re, shutil, signal, statistics, subprocess, sys, time

folder, programs = sys.argv[1], sys.argv[2:]
target = "/_/w:16/plain/local:///cat.jpg@webp"


def start(program):
    begin = time.monotonic()
    server = subprocess.Popen([program, "serve", "--root", folder, "--insecure", "--listen", "127.0.0.1:0"],
                              stdout=subprocess.PIPE, text=True)
    try:
        port = int(re.search(r"http://127\.0\.0\.1:(\d+)", server.stdout.readline())[1])
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        connection.request("GET", target)
        answer = connection.getresponse()
        assert answer.status == 200 and answer.read()
        return server, port, (time.monotonic() - begin) * 1000
    except BaseException:
        server.kill()
        raise


def stop(server):
    server.send_signal(signal.SIGTERM)
    assert server.wait(30) == 0


def pss(process):
    children = [entry.name for entry in pathlib.Path("/proc").iterdir() if entry.name.isdigit() and parent(entry) == process]
    texts = [pathlib.Path(f"/proc/{number}/smaps_rollup").read_text() for number in [process, *children]]
    return sum(int(re.search(r"^Pss:\s+(\d+)", text, re.M)[1]) for text in texts) * 1024


def parent(entry):
    try:
        return int((entry / "stat").read_text().rpartition(")")[2].split()[1])
    except OSError:
        return 0


def hits(port):
    if not shutil.which("wrk"):
        return None
    command = ["wrk", "-t", "1", "-c", "32", "-d", "3s", f"http://127.0.0.1:{port}{target}"]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    assert "Non-2xx" not in output, output
    return float(re.search(r"Requests/sec:\s+([\d.]+)", output)[1])


times, memory, rates = ({program: [] for program in programs} for _ in range(3))
for turn in range(11):
    for program in programs:
        server, port, milliseconds = start(program)
        try:
            times[program].append(milliseconds)
            if turn % 4 == 3:
                time.sleep(1)
                memory[program].append(pss(server.pid))
                if rate := hits(port):
                    rates[program].append(rate)
            stop(server)
        finally:
            server.kill()


def report(name, values, unit, scale=1):
    if not all(values.values()):
        print(f"{name}: not measured")
        return
    middle = [statistics.median(values[program]) / scale for program in programs]
    ratio = f", ratio {middle[0] / middle[1]:.2f}" if len(middle) > 1 else ""
    print(f"{name}: " + " against ".join(f"{value:.1f}" for value in middle) + f" {unit}{ratio}")


report("start to the first answer", times, "ms")
report("idle memory (PSS, server and decoders)", memory, "MB", 1e6)
report("serve-hit", rates, "requests/s")
