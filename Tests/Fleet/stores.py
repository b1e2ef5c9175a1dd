"""Object stores on loopback that speak S3: OpenStack Swift, and moto."""

import getpass
import os
import subprocess
import urllib.error
import urllib.request

import boto3
import botocore.auth
import botocore.awsrequest
import botocore.config
import botocore.credentials
import botocore.exceptions

from processes import Failure, Missing, faketime, free_port


class Keys:
    def __init__(self, identifier, secret):
        self.identifier, self.secret = identifier, secret


class Store:
    """A running store with a bucket, and the keys of its owner."""

    bucket = "photos"
    checks_region = checks_clock = has_metadata = False

    def __init__(self, name, port, region):
        self.name, self.port, self.region = name, port, region
        self.endpoint = "http://127.0.0.1:%d" % port
        self.keys = None

    def client(self, keys=None, region=None, port=None, service="s3"):
        keys = keys or self.keys or Keys("none", "none")
        return boto3.client(
            service, endpoint_url="http://127.0.0.1:%d" % (port or self.port), region_name=region or self.region,
            aws_access_key_id=keys.identifier, aws_secret_access_key=keys.secret,
            config=botocore.config.Config(
                s3={"addressing_style": "path"}, retries={"max_attempts": 0},
                request_checksum_calculation="when_required", response_checksum_validation="when_required"))

    def put(self, key, data, kind, bucket=None):
        self.client().put_object(Bucket=bucket or self.bucket, Key=key, Body=data, ContentType=kind)

    def list(self, prefix="", bucket=None):
        pages = self.client().get_paginator("list_objects_v2").paginate(Bucket=bucket or self.bucket, Prefix=prefix)
        return [item["Key"] for page in pages for item in page.get("Contents", [])]

    def get(self, key, bucket=None):
        return self.client().get_object(Bucket=bucket or self.bucket, Key=key)["Body"].read()

    def raw(self, path, region):
        """The status and the body of a GET that is signed for a region. boto3 would learn the right one."""
        url = self.endpoint + path
        request = botocore.awsrequest.AWSRequest(method="GET", url=url)
        keys = botocore.credentials.Credentials(self.keys.identifier, self.keys.secret)
        botocore.auth.S3SigV4Auth(keys, "s3", region).add_auth(request)
        try:
            with urllib.request.urlopen(urllib.request.Request(url, headers=dict(request.headers))) as answer:
                return answer.status, answer.read()
        except urllib.error.HTTPError as error:
            return error.code, error.read()

    def start_late_door(self, minutes):
        """Starts a door whose clock is behind, and returns its port."""
        port = free_port()
        self.start_door(port, "late", {"LD_PRELOAD": faketime(), "FAKETIME": "-%dm" % minutes,
                                       "DONT_FAKE_MONOTONIC": "1"})
        return port


class Moto(Store):
    """moto checks signatures once a user, its keys, their policy and a bucket are there."""

    has_metadata = True

    def __init__(self, processes, tools):
        super().__init__("moto", free_port(), "eu-central-1")
        self.tools = tools
        # The number of requests that are answered before anybody has keys. Requests that fail count, too.
        self.process = self.start(processes, "moto", self.port, {"INITIAL_NO_AUTH_ACTION_COUNT": "4"})
        users = self.client(service="iam")
        users.create_user(UserName="calotype")
        made = users.create_access_key(UserName="calotype")["AccessKey"]
        policy = '{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Action":"s3:*","Resource":"*"}]}'
        users.put_user_policy(UserName="calotype", PolicyName="all", PolicyDocument=policy)
        self.keys = Keys(made["AccessKeyId"], made["SecretAccessKey"])
        self.client().create_bucket(
            Bucket=self.bucket, CreateBucketConfiguration={"LocationConstraint": self.region})
        self.client().create_bucket(
            Bucket="results", CreateBucketConfiguration={"LocationConstraint": self.region})

    def start(self, processes, name, port, environment=None):
        process = processes.start(
            name, [self.tools + "/moto_server", "-H", "127.0.0.1", "-p", str(port)], environment)
        processes.until_listening(process, port)
        return process

    def unchecked(self, processes):
        """Starts a store that takes any keys, such as those of its metadata service, which it does not know."""
        store = Store("moto-unchecked", free_port(), self.region)
        self.start(processes, store.name, store.port)
        store.client().create_bucket(
            Bucket=self.bucket, CreateBucketConfiguration={"LocationConstraint": self.region})
        return store


class Swift(Store):
    """OpenStack Swift checks signatures, the region and the clock. It is one device, without replicas."""

    checks_region = checks_clock = True
    pipeline = "catch_errors s3api tempauth copy slo dlo versioned_writes symlink proxy-server"

    def __init__(self, processes, tools, folder):
        super().__init__("swift", free_port(), "eu-central-1")
        self.processes, self.tools, self.folder = processes, tools, folder
        self.user = getpass.getuser()
        for part in ("etc", "devices/d1", "cache"):
            os.makedirs(os.path.join(folder, part))
        self.check_attributes()
        self.write("swift.conf", "[swift-hash]\nswift_hash_path_suffix = calotype\nswift_hash_path_prefix = calotype\n")
        backends = []
        for kind in ("account", "container", "object"):
            port = free_port()
            self.make_ring(kind, port)
            self.write(kind + ".conf", self.backend(kind, port))
            backends.append((self.start(kind), port))
        for process, port in backends:
            processes.until_listening(process, port)
        self.keys = Keys("test:tester", "testing")
        self.process = self.start_door(self.port)
        for bucket in (self.bucket, "results"):
            self.client().create_bucket(Bucket=bucket)

    def check_attributes(self):
        probe = os.path.join(self.folder, "probe")
        open(probe, "w").close()
        try:
            os.setxattr(probe, "user.calotype", b"x" * 1000)
        except OSError as error:
            raise Missing("%s keeps no user attributes (%s)" % (self.folder, error.strerror)) from error

    def write(self, name, text):
        with open(os.path.join(self.folder, "etc", name), "w") as file:
            file.write(text)

    def make_ring(self, kind, port):
        builder = os.path.join(self.folder, "etc", kind + ".builder")
        for words in (["create", "4", "1", "0"], ["add", "r1z1-127.0.0.1:%d/d1" % port, "1"], ["rebalance"]):
            made = subprocess.run(
                [self.tools + "/swift-ring-builder", builder, *words], capture_output=True, text=True, check=False)
            if made.returncode != 0:
                raise Failure("swift-ring-builder %s: %s%s" % (words[0], made.stdout, made.stderr))

    def default(self, port):
        return (
            "[DEFAULT]\nbind_ip = 127.0.0.1\nbind_port = %d\nworkers = 0\nuser = %s\nswift_dir = %s/etc\n"
            "devices = %s/devices\nmount_check = false\ndisable_fallocate = true\nlog_level = WARNING\n"
            % (port, self.user, self.folder, self.folder))

    def backend(self, kind, port):
        return self.default(port) + (
            "[pipeline:main]\npipeline = %s-server\n[app:%s-server]\nuse = egg:swift#%s\n"
            "recon_cache_path = %s/cache\n" % (kind, kind, kind, self.folder))

    def start(self, kind, name=None, environment=None):
        name = name or kind
        return self.processes.start(
            "swift-" + name,
            ["%s/swift-%s-server" % (self.tools, kind), "%s/etc/%s.conf" % (self.folder, name), "verbose"],
            environment)

    def start_door(self, port, name="proxy", environment=None):
        """Starts a further door to the same objects."""
        filters = "".join("[filter:%s]\nuse = egg:swift#%s\n" % (part, part) for part in
                          ("catch_errors", "copy", "slo", "dlo", "versioned_writes", "symlink"))
        self.write(name + ".conf", self.default(port) + (
            "[pipeline:main]\npipeline = %s\n[app:proxy-server]\nuse = egg:swift#proxy\n"
            "account_autocreate = true\n"
            "[filter:s3api]\nuse = egg:swift#s3api\nlocation = %s\n"
            "[filter:tempauth]\nuse = egg:swift#tempauth\n"
            "user_test_tester = testing .admin\n%s" % (self.pipeline, self.region, filters)))
        process = self.start("proxy", name, environment=environment)
        self.processes.until_listening(process, port)
        return process


def refusal(call):
    """The status and the code with which a store refuses a call of boto3."""
    try:
        call()
    except botocore.exceptions.ClientError as error:
        return (error.response["ResponseMetadata"]["HTTPStatusCode"], error.response["Error"]["Code"])
    return None
