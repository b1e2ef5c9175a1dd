"""Prints the parts of an example that its test starts, with the addresses and folders of the test.

    examples.py arguments FILE PORT ADMIN FOLDER     the command line of the container in a Compose file or a manifest, NUL-separated
    examples.py probes FILE PORT ADMIN               the URL of each probe of a manifest
    examples.py limits FILE                          checks grace period and memory limit against the command line, and the fleet of
                                                     a manifest: a disk for each node, purges to all, a balancer that hashes the source
    examples.py metrics TEXT FILE ...                checks that each metric in a rule or a board is in the server's text
"""
import json, re, shutil, subprocess, sys, tempfile
import yaml


def container(file):
    """Returns command line, environment, grace period in seconds and memory limit in bytes."""
    documents = list(yaml.safe_load_all(open(file)))
    if "services" in documents[0]:
        service = documents[0]["services"]["calotype"]
        assert service["read_only"] and service["cap_drop"] == ["ALL"], "the container may write or has capabilities"
        return service["command"], service["environment"], seconds(service["stop_grace_period"]), size(service["mem_limit"])
    pod = documents[0]["spec"]["template"]["spec"]
    first = pod["containers"][0]
    assert pod["securityContext"]["runAsNonRoot"] and first["securityContext"]["readOnlyRootFilesystem"], "root, or writable"
    environment = {item["name"]: item["value"] for item in first["env"]}
    return first["args"], environment, pod["terminationGracePeriodSeconds"], size(first["resources"]["limits"]["memory"])


def seconds(text):
    return int(re.fullmatch(r"(\d+)s?", str(text))[1])


def size(text):
    number, unit = re.fullmatch(r"(\d+)\s*(\w*)", str(text)).groups()
    return int(number) * {"g": 2**30, "gi": 2**30, "mi": 2**20, "m": 2**20, "mb": 10**6, "gb": 10**9}[unit.lower()]


def arguments(file, port, admin, folder):
    command, environment, _, _ = container(file)
    places = {"0.0.0.0:8080": f"127.0.0.1:{port}", "0.0.0.0:8081": f"127.0.0.1:{admin}", "/images": f"{folder}/images",
              "/var/cache/calotype": f"{folder}/cache", "/run/secrets": f"{folder}/secrets", "calotype-nodes:8081": f"127.0.0.1:{admin}"}
    words = [f"{name}={value}" for name, value in environment.items()] + command
    for old, new in places.items():
        words = [re.sub(rf"(?<=[=@]){re.escape(old)}", new, word) for word in words]
    # The number of variables comes first.
    print("\0".join([str(len(environment))] + words), end="")


def probes(file, port, admin):
    first = next(yaml.safe_load_all(open(file)))["spec"]["template"]["spec"]["containers"][0]
    for name in ["startupProbe", "livenessProbe", "readinessProbe"]:
        get = first[name]["httpGet"]
        print(f"http://127.0.0.1:{ {'http': port, 'admin': admin}[get['port']] }{get['path']}")


def limits(file):
    command, _, grace, memory = container(file)
    values = dict(word.lstrip("-").split("=", 1) for word in command if "=" in word)
    assert grace > int(values["drain-delay"]) + int(values["drain"]), "the grace period is shorter than the drain"
    assert memory > size(values["memory"]), "the memory limit is below --memory"
    documents = list(yaml.safe_load_all(open(file)))
    if "services" not in documents[0]:
        fleet(documents, values)


def fleet(documents, values):
    nodes = documents[0]["spec"]
    names = {document["kind"] + "/" + document["metadata"]["name"]: document for document in documents}
    mounts = {mount["mountPath"]: mount["name"] for mount in nodes["template"]["spec"]["containers"][0]["volumeMounts"]}
    claims = [claim["metadata"]["name"] for claim in nodes["volumeClaimTemplates"]]
    assert documents[0]["kind"] == "StatefulSet" and mounts[values["store"]] in claims, "a node loses its disk"
    assert values["nodes"] == nodes["serviceName"] + ":8081", "purges do not reach all nodes"
    service = names["Service/" + nodes["serviceName"]]["spec"]
    assert service["clusterIP"] == "None" and service["publishNotReadyAddresses"], "purges miss a node that is not ready"
    (settings,) = [document["data"]["haproxy.cfg"] for document in documents if document["kind"] == "ConfigMap"]
    servers = re.findall(r"^ *server (\S+) \1\.(\S+):8080 id (\d+)$", settings, re.M)
    wanted = [(f"calotype-{index}", nodes["serviceName"], str(index + 1)) for index in range(nodes["replicas"])]
    assert servers == wanted, "the balancer has other nodes"
    # The rules are those of the example, which has a test of its own.
    rules = r"^ *((?:balance|hash-type|option httpchk|http-request set-var) .*)$"
    example = open("Examples/haproxy/haproxy.cfg").read()
    assert re.findall(rules, settings, re.M) == re.findall(rules, example, re.M), "the balancer hashes otherwise than the example"
    if shutil.which("haproxy"):
        with tempfile.NamedTemporaryFile("w", suffix=".cfg") as copy:
            copy.write(settings)
            copy.flush()
            subprocess.run(["haproxy", "-c", "-q", "-f", copy.name], check=True)


def expressions(file):
    if file.endswith(".json"):
        board = json.load(open(file))
        found = [target["expr"] for panel in board["panels"] for target in panel["targets"]]
        return found + [item["expr"] for item in board["annotations"]["list"]] + [
            item["query"]["query"] for item in board["templating"]["list"] if item["type"] == "query"]
    return [rule["expr"] for group in yaml.safe_load(open(file))["groups"] for rule in group["rules"]]


def metrics(text, *files):
    exported = set()
    for name, kind in re.findall(r"^# TYPE (\S+) (\S+)", open(text).read(), re.M):
        exported |= {name + end for end in ["_bucket", "_sum", "_count"]} if kind == "histogram" else {name}
    for file in files:
        for expression in expressions(file):
            # Names with a colon are recorded by the rules themselves, and checked by promtool.
            names = set(re.findall(r"\bcalotype_serve_[a-z0-9_]+(?![a-z0-9_:])", expression))
            assert names or ":" in expression or expression.startswith("up"), f"{file}: no metric in {expression}"
            unknown = names - exported
            assert not unknown, f"{file}: the server exports no {', '.join(sorted(unknown))}"


globals()[sys.argv[1]](*sys.argv[2:])
