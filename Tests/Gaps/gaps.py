#!/usr/bin/env python3
"""Compares HTTP caches in the rules that the public cache tests leave out. Prints a table.

    Tests/Gaps/gaps.py --program .build/release/calotype            # ours, nginx, Varnish, Squid, Apache
    Tests/Gaps/gaps.py calotype nginx --program ...                 # some of them
    Tests/Gaps/gaps.py --url http://127.0.0.1:8080 --origin 8000    # a cache that runs, in front of 127.0.0.1:8000

The others come from Debian: apt-get install --no-install-recommends nginx-light varnish squid apache2. The script starts its
own processes, on loopback, with the directives in proxies.py, and ends them.
"""

import argparse
import concurrent.futures
import pathlib
import shutil
import sys
import tempfile
import urllib.parse
import uuid

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from cases import CASES  # noqa: E402
from origin import Case, Origin  # noqa: E402
from proxies import Proxy  # noqa: E402

NAMES = ["calotype", "calotype-private", "nginx", "varnish", "squid", "apache"]


def run(origin, address, is_private, function):
    case = Case(origin, address, f"/{function.__name__}-{uuid.uuid4().hex[:8]}")
    case.is_private = is_private
    try:
        result = function(case)
    except Exception as error:  # A cache that closes the connection fails the row, and not the run.
        return f"error: {type(error).__name__}"
    if isinstance(result, bool):
        return "yes" if result else "no"
    return f"{result:.2f}"


def column(origin, address, is_private):
    # Each case has a path of its own, so that those that wait may do it together.
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        return list(pool.map(lambda row: run(origin, address, is_private, row[2]), CASES))


def table(columns):
    names = list(columns)
    print("| section | rule | " + " | ".join(names) + " |")
    print("|---" * (len(names) + 2) + "|")
    for number, (section, text, _) in enumerate(CASES):
        print(f"| {section} | {text} | " + " | ".join(columns[name][number] for name in names) + " |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", default=NAMES, metavar="NAME", help=", ".join(NAMES))
    parser.add_argument("--program", default=".build/release/calotype")
    parser.add_argument("--url")
    parser.add_argument("--origin", type=int, default=0)
    parser.add_argument("--private", action="store_true", help="the cache of --url is private")
    arguments = parser.parse_args()
    origin = Origin(arguments.origin)
    if arguments.url:
        url = urllib.parse.urlsplit(arguments.url)
        table({url.netloc: column(origin, (url.hostname, url.port or 80), arguments.private)})
        return
    columns = {}
    folder = tempfile.mkdtemp(prefix="gaps-")
    pathlib.Path(folder).chmod(0o755)
    for name in arguments.names:
        proxy = Proxy(name, folder, origin.port, arguments.program)
        try:
            columns[name] = column(origin, ("127.0.0.1", proxy.port), proxy.is_private)
        finally:
            proxy.stop()
    table(columns)
    shutil.rmtree(folder, ignore_errors=True)
    ours = [name for name in columns if name.startswith("calotype")]
    failures = [
        (name, CASES[number][1]) for name in ours for number, result in enumerate(columns[name])
        if result not in ("yes", "1.00") and not (name == "calotype" and CASES[number][2].__name__ == "tracking")
    ]
    for name, text in failures:
        print(f"{name}: {text}", file=sys.stderr)
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
