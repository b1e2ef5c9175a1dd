import CalotypeBase
import CalotypeCodecs
import CalotypeHTTP
import CalotypeTesting
import TestSupport
import Foundation
import Requirements
import Testing

@testable import calotype_command

/// The real command in a separate process.
struct ServeCommandTests {
    private let calotype: Calotype

    init() throws {
        calotype = try Calotype()
        try calotype.write(SamplePhotos.jpeg(width: 640, height: 480), to: "photos/cat.jpg")
    }

    @Test func `it serves a thumbnail`() async throws {
        let photos = calotype.directory.appending(path: "photos").path
        let server = try ServerChild(["serve", "--root", photos, "--insecure", "--listen", "127.0.0.1:0"])
        let client = try RawClient(port: server.port)
        try client.get("/_/w:64/plain/local:///cat.jpg@webp", lines: ["Connection: close"])
        let answer = await client.receive()
        #expect(answer.hasPrefix("HTTP/1.1 200 "))
        #expect(answer.contains("Content-Type: image/webp\r\n"))
        server.send(SIGTERM)
        #expect(await server.status == 0)
    }

    // Pixels of 10 GB, announced by two small files.
    @Test(
        .requirement("V16"),
        .disabled(if: Sanitizers.areOn, "a sanitizer's own memory cannot be told from the server's"),
        arguments: [["--no-isolate"], []])
    func `headers of 50,000 pixels a side take less than 5 MB of memory`(flags: [String]) async throws {
        try calotype.write(SamplePhotos.png(width: 64, height: 48), to: "photos/small.png")
        let (png, jpeg) = (SamplePhotos.png(width: 8, height: 8), SamplePhotos.jpeg(width: 8, height: 8))
        try calotype.write(png.claimingPNGSize(50_000, 50_000), to: "photos/huge.png")
        try calotype.write(jpeg.claimingJPEGSize(50_000, 50_000), to: "photos/huge.jpg")
        let photos = calotype.directory.appending(path: "photos").path
        let server = try ServerChild(["serve", "--root", photos, "--insecure", "--listen", "127.0.0.1:0"] + flags)
        func answers(_ names: [String], begin head: String) async throws {
            for name in names {
                for options in ["w:10/f:png", "rs:fill:10:10/g:sm/f:jpg", "t:10/f:webp", "ar:0/w:10/f:png"] {
                    let client = try RawClient(port: server.port)
                    try client.get("/_/\(options)/plain/local:///\(name)", lines: ["Connection: close"])
                    #expect(await client.receive().hasPrefix(head), "\(name) \(options)")
                }
            }
        }
        // The code and the buffers that every image needs are in memory afterwards.
        try await answers(["small.png", "cat.jpg"], begin: "HTTP/1.1 200 ")
        try server.forgetPeakMemory()
        let before = server.peakMemory
        try await answers(["huge.png", "huge.jpg"], begin: "HTTP/1.1 422 ")
        #expect(before > 0 && server.peakMemory - before < 5 << 20, "\((server.peakMemory - before) >> 10) KiB")
    }

    @Test func `clients leave descriptors for decoders`() async throws {
        let photos = calotype.directory.appending(path: "photos").path
        let server = try ServerChild(
            ["serve", "--root", photos, "--insecure", "--listen", "127.0.0.1:0"], descriptors: 256)
        let budget = DescriptorBudget(limit: 256)
        let most = 256 - budget.reserve - budget.kept(for: DecoderWorkers.shared.descriptors)
        let silent = try (0..<256).map { _ in try RawClient(port: server.port) }
        // The listener takes clients in order, and closes silent ones for those that follow.
        let client = try RawClient(port: server.port)
        try client.get("/_/w:64/plain/local:///cat.jpg@webp", lines: ["Connection: close"])
        #expect(await client.receive().hasPrefix("HTTP/1.1 200 "))
        // The worker has a few of those that are left.
        withExtendedLifetime(silent) { #expect(server.descriptors < most + 8) }
    }

    @Test(.requirement("V4")) func `without a key it starts only if told so`() async throws {
        let end = try await calotype("serve", "--root", "photos")
        #expect(end.status == 2)
        #expect(end.errors.contains("--insecure"))
        let wrong = try await calotype(
            "serve", "--root", "photos", environment: ["IMGPROXY_KEY": "xy", "IMGPROXY_SALT": "00"])
        #expect(wrong.status == 2)
        #expect(wrong.errors.contains("hexadecimal"))
    }

    @Test(.requirement("V14")) func `flags for sources reach the server, and the environment's proxy does not`()
        async throws
    {
        let origin = try OriginServer()
        var photo = OriginReply.ok(SamplePhotos.jpeg(width: 64, height: 48))
        photo.fields["Cache-Control"] = "no-store"
        origin.on("/images/a.jpg") { [photo] in $0.fields["X-Token"] == "abc" ? photo : .status(403) }
        let prefix = "\(origin.url.absoluteString)/images"
        let server = try ServerChild(
            [
                "serve", "--root", calotype.directory.appending(path: "photos").path, "--insecure", "--listen",
                "127.0.0.1:0", "--allow-source", prefix, "--allow-address", "127.0.0.1", "--source-header", prefix,
                "X-Token: abc", "--freshness", "ignore", "--ttl", "70", "--cors", "*",
            ], environment: ["http_proxy": "http://127.0.0.1:1", "all_proxy": "http://127.0.0.1:1"])
        let client = try RawClient(port: server.port)
        try client.get("/_/w:10/plain/\(prefix)/a.jpg@png", lines: ["Connection: close", "X-Request-ID: 7"])
        let answer = await client.receive()
        #expect(answer.hasPrefix("HTTP/1.1 200 "))
        for line in ["Access-Control-Allow-Origin: *", "X-Request-ID: 7", "Cache-Control: public, max-age="] {
            #expect(answer.contains("\r\n\(line)"), "\(line)")
        }
    }

    @Test func `sources on the web need no root`() async throws {
        let origin = try OriginServer()
        origin.on("/a.jpg", .ok(SamplePhotos.jpeg(width: 64, height: 48)))
        let server = try ServerChild([
            "serve", "--insecure", "--listen", "127.0.0.1:0", "--allow-source", origin.url.absoluteString,
            "--allow-address", "127.0.0.1",
        ])
        for (source, status) in [(origin.url("a.jpg").absoluteString, 200), ("local:///photos/cat.jpg", 404)] {
            let client = try RawClient(port: server.port)
            try client.get("/_/w:10/plain/\(source)@png", lines: ["Connection: close"])
            #expect(await client.receive().hasPrefix("HTTP/1.1 \(status) "), "\(source)")
        }
        let neither = try await calotype("serve", "--insecure")
        #expect(neither.status == 2 && neither.errors.contains("there are no sources: --root DIR"))
    }

    @Test(arguments: [
        (["--source-header", "http://a.example"], "requires 2 words"),
        (["--source-header", "a.example", "X-Token: abc"], "not the beginning of a URL"),
        (["--source-header", "http://a.example", "nonsense"], "not a header field"),
        (["--source-header", "http://a.example", "Host: secret"], "the server sets itself"),
        (["--allow-address", "10.0.0.1/8"], "a block whose other bits are 0, such as 10.0.0.0/8"),
        (["--allow-source", "https://*"], "any host: --allow-remote permits it"),
        (["--allow-source", "https://*.com"], "any host: --allow-remote permits it"),
        (["--source-header", "https://*.example.com A: b"], "the URL names one host, without *"),
        (["--allow-source", "https://*example.com"], "has more than ASCII letters"),
        (["--allow-source", "s3://"], "names no bucket: expected s3://bucket/key"),
        (["--allow-source", "s3://*/photos"], "\"*\" is no bucket"),
        (["--s3", "Photos"], "--s3 Photos: \"Photos\" is no bucket"),
        (["--far", "results"], "\"results\" names no bucket: expected s3://bucket/prefix"),
        (["--far-age", "3"], "add --far s3://BUCKET/PREFIX"),
        (["--far", "s3://results", "--far-age", "0"], "a whole number from 1 to 3650"),
        (["--far", "s3://results", "--far-timeout", "1s"], "a whole number from 1 to 60000"),
        (["--far", "s3://results", "--far-writes", "some"], "expected one of used, all, none"),
        (["--far", "s3://results", "--unknown-purges", "ask"], "expected one of send, make, refuse"),
        (["--unknown-purges", "make"], "a server alone lacks no purges: add --nodes or --far"),
        (["--s3", "photos size=3"], "--s3 photos size=3: \"size\" is unknown"),
        (["--s3", "photos", "--s3", "photos region=eu"], "the bucket \"photos\" is given twice"),
        (["--allow-source", "http://127.1:9000/photos"], "add --allow-address 127.0.0.1"),
        (["--allow-source", "http://localhost", "--allow-address", "10.0.0.0/8"], "add --allow-address 127.0.0.1"),
        (["--freshness", "never"], "expected one of obey, ignore"), (["--cors", "example.com"], "an origin such as"),
        (["--cors", "https://example.com/path"], "an origin such as"), (["--max-animation", "all"], "megapixels"),
        (["--gain-maps", "some"], "expected one of keep, drop"),
        (["--log", "some"], "expected one of all, made, errors, none"),
        (["--drain", "-1"], "a whole number from 0 to 3600"), (["--drain-delay", "soon"], "a whole number"),
        (["--listen", "0.0.0.0:8080"], "any rendition: --allow-remote permits it"),
        (["--listen", "127.example.com:0"], "any rendition: --allow-remote permits it"),
        (["--listen", "nowhere"], "an address such as"), (["--admin", "0.0.0.0:0"], "shows the metrics"),
        (["--negotiate", "avif,jpg"], "avif, webp, several"),
        (["--negotiate", ""], "avif, webp, several"),
        (["--memory", "10MB"], "--memory 10MB: the server needs at least 151MB"),
        (["--memory", "much"], "a size such as 512MB"), (["--max-decode", "all"], "a size such as 2GB"),
        (["--allow-source", "s3://*"], "any host: --allow-remote permits it"),
        (["--allow-source", "local:///a/../b"], "a folder of local sources is local:///path"),
        (["--deny-source", "https://a.example"], "expected a bucket, such as s3://photos"),
        (["--deny-source", "s3://photos/a"], "buckets are refused as a whole"),
        (["--s3", "* region=a b=c"], "\"b\" is unknown"), (["--replace-source", "a"], "is not PATTERN=REPLACEMENT"),
        (["--path-prefix", "images"], "a path such as /images"), (["--health-path", "a b"], "a path such as /images"),
        (["--enforce", "jpg"], "avif, webp, several"), (["--fallback-status", "100"], "a whole number from 200"),
        (["--fallback-ttl", "-1"], "a whole number from 0"), (["--fallback", "none.png"], "there is no such file"),
        (["--fallback", "data:image/png,none"], "data:image/png;base64, and base64"),
        (["--max-clients", "0"], "a whole number from 1"), (["--keep-alive", "0"], "a whole number from 1"),
        (["--request-timeout", "0"], "a whole number from 1"), (["--source-timeout", "0"], "a whole number from 1"),
        (["--time-limit", "soon"], "a whole number from 1"), (["--max-redirects", "-1"], "a whole number from 0"),
        (["--workers", "0"], "a whole number from 1 to 64"), (["--watermark-opacity", "2"], "a number from 0 to 1"),
        (["--trust-proxy", "10.0.0.1/8"], "such as 10.0.0.0/8, with commas"),
        (["--client-field", "via"], "expected one of x-forwarded-for, forwarded"),
        (["--log-fields", "host"], "some of method,client,trace,user-agent"),
        (["--metrics-namespace", "1a"], "letters, digits and _"),
        (["--max-result", "0"], "a whole number from 1"), (["--max-pixels", "0"], "megapixels from 0.01"),
    ])
    func `a wrong value is named, and no secret repeated`(words: [String], problem: String) async throws {
        let end = try await calotype.start(["serve", "--root", "photos", "--insecure"] + words).ending()
        #expect(end.status == 2)
        #expect(end.errors.contains(problem), "\(end.errors)")
        #expect(!end.errors.contains("secret") && !end.errors.contains("abc"))
    }

    @Test func `other machines reach it with a key, or without one if that is permitted`() async throws {
        let photos = calotype.directory.appending(path: "photos").path
        let key = ["IMGPROXY_KEY": "736563726574", "IMGPROXY_SALT": "68656C6C6F"]
        let servers: [(flags: [String], environment: [String: String], status: Int)] = [
            ([], key, 403), (["--insecure", "--allow-remote"], [:], 200),
        ]
        for (flags, environment, status) in servers {
            let server = try ServerChild(
                ["serve", "--root", photos, "--listen", "0.0.0.0:0"] + flags, environment: environment)
            let client = try RawClient(port: server.port)
            try client.get("/_/w:64/plain/local:///cat.jpg@webp", lines: ["Connection: close"])
            #expect(await client.receive().hasPrefix("HTTP/1.1 \(status) "))
        }
    }

    @Test(.requirement("V45")) func `check groups the URLs that would fail by option`() async throws {
        let log = """
            127.0.0.1 - - [01/Jan/2026:00:00:00 +0000] "GET /s/w:1/plain/local:///a.jpg HTTP/1.1" 200 1
            127.0.0.1 - - [01/Jan/2026:00:00:00 +0000] "GET /s/dd:1/plain/local:///a.jpg HTTP/1.1" 200 1
            http://images.example.com/s/dd:1/w:5/plain/local:///b.jpg
            /s/f:gif/plain/local:///a.jpg
            """
        try calotype.write(log, to: "access.log")
        let end = try await calotype("serve", "--check", "access.log")
        #expect(end.status == 1)
        #expect(end.lines.first?.hasPrefix("2\toption dd\t") == true)
        #expect(end.lines.dropFirst().first?.hasPrefix("1\toption format\t") == true)
        #expect(end.lines.last == "3 of 4 URLs would fail")
        try calotype.write("/s/w:1/plain/local:///a.jpg\n", to: "good")
        #expect(try await calotype("serve", "--check", "good").status == 0)
        #expect(try await calotype("serve", "--check", "missing").status == 2)
    }

    @Test(.requirement("V45")) func `check names options that results do not follow, and their URLs do not fail`()
        async throws
    {
        try calotype.write(
            "/_/sm:0/w:10/plain/local:///a.jpg\n/_/sm:1/ph:0/plain/local:///a.jpg\n/_/ph:1/sm:0/plain/local:///b.jpg\n",
            to: "list")
        let end = try await calotype("serve", "--check", "list")
        #expect(end.status == 0)
        #expect(
            end.lines == [
                "2\tdiffers: option strip_metadata\t/_/sm:0/w:10/plain/local:///a.jpg",
                "1\tdiffers: option preserve_hdr\t/_/ph:1/sm:0/plain/local:///b.jpg", "0 of 3 URLs would fail",
            ])
        try calotype.write("/img/_/w:10/plain/local:///a.jpg\n/_/w:10/plain/local:///a.jpg\n", to: "prefixed")
        let prefixed = try await calotype("serve", "--check", "prefixed", "--path-prefix", "/img")
        #expect(prefixed.lines.last == "1 of 2 URLs would fail")
    }

    @Test(.requirement("V45")) func `check reads logs in JSON and those of imgproxy, and counts each request once`()
        async throws
    {
        let log = #"""
            {"time":"2026-01-01T00:00:00Z","referer":"https://a.example/b/c/d","path":"/s/dd:1/plain/local:///a.jpg"}
            {"url":"https:\/\/images.example.com\/s\/w:1\/plain\/local:\/\/\/b.jpg","status":200}
            level=INFO msg="Started /s/w:2/plain/local:///a.jpg" request_id=x method=GET
            level=INFO msg="Completed in 1.5ms /s/w:2/plain/local:///a.jpg" request_id=x image_url=local:///a.jpg
            no URL here, only /health and a / b

            """#
        try calotype.write(log, to: "access.log")
        let end = try await calotype("serve", "--check", "access.log")
        #expect(end.status == 1)
        #expect(end.lines.first == "1\toption dd\t/s/dd:1/plain/local:///a.jpg")
        #expect(end.lines.dropFirst().first?.hasPrefix("1\tlines without a URL, skipped\tno URL here") == true)
        #expect(end.lines.last == "1 of 3 URLs would fail")
        try calotype.write("nothing\n", to: "empty")
        let empty = try await calotype("serve", "--check", "empty")
        #expect(empty.status == 2)
        #expect(empty.errors.contains("no URL"))
    }

    @Test(.requirement("V45")) func `check knows what the server lacks`() async throws {
        try calotype.write("/s/wm:1/plain/local:///a.jpg\n/s/w:1/plain/local:///a.jxl@png\n", to: "list")
        let bare = try await calotype("serve", "--check", "list")
        #expect(bare.lines.contains { $0.hasPrefix("1\toption watermark\t") })
        let marked = try await calotype("serve", "--check", "list", "--watermark", "photos/cat.jpg")
        #expect(!marked.lines.contains { $0.contains("watermark") })
        let isRead = DecoderRegistry.standard.reads(.jpegXL)
        #expect(bare.lines.contains { $0.contains("JPEG XL") } == !isRead)
    }

    @Test func `a store that cannot be made ends the start`() async throws {
        try calotype.write("a file", to: "file")
        let end = try await calotype(
            "serve", "--root", "photos", "--insecure", "--listen", "127.0.0.1:0", "--store", "file/store")
        #expect(end.status == 1)
        #expect(end.errors.contains("file/store"), "\(end.errors)")
    }

    @Test func `explain prints the canonical text`() async throws {
        let end = try await calotype(
            "serve", "--explain", "/s/h:50/width:100/plain/local:///a.jpg@png")
        #expect(end.status == 0)
        #expect(end.lines.first == "canonical text  w:100/h:50/plain/local:///a.jpg@png")
        let wrong = try await calotype(
            "serve", "--explain", "/s/x:1/plain/local:///a")
        #expect(wrong.status == 1)
        let whole = try await calotype("serve", "--explain", "http://host:8080/s/w:10/plain/local:///a.jpg@png")
        #expect(whole.lines.first == "canonical text  w:10/plain/local:///a.jpg@png")
        #expect(try await calotype("serve", "--explain", "/s/a", "--check", "log").status == 2)
        let found = try await calotype("serve", "--root", "photos", "--explain", "/s/w:10/plain/local:///cat.jpg@png")
        #expect(found.lines.contains { $0.hasPrefix("stored source   a file of ") })
        #expect(found.lines.contains { $0.hasPrefix("work            ") })
        #expect(calotype.files == ["photos"])
    }

    @Test func `sign prints a path that the server accepts`() async throws {
        let keys = ["IMGPROXY_KEY": "736563726574", "IMGPROXY_SALT": "68656C6C6F"]
        let end = try await calotype("sign", "local:///cat.jpg@png", "rs:fill:30:40", environment: keys)
        #expect(end.status == 0)
        #expect(end.lines.first?.hasSuffix("/rs:fill:30:40/plain/local:///cat.jpg@png") == true)
        #expect(end.lines.first?.split(separator: "/").first?.count == 43)
        let unsigned = try await calotype("sign", "local:///cat.jpg")
        #expect(unsigned.lines == ["/_/plain/local:///cat.jpg"])
        #expect(try await calotype("sign", "local:///cat.jpg", "nonsense:1").status == 2)
        let facts = try await calotype("sign", "--info", "local:///cat.jpg", "bh:4:3", "gps:1", environment: keys)
        let parts = facts.lines.first?.split(separator: "/", maxSplits: 2).map(String.init) ?? []
        #expect(parts.first == "info" && parts.last == "bh:4:3/gps:1/plain/local:///cat.jpg", "\(facts.errors)")
        #expect(parts.count == 3 && parts[1].count == 43)
        #expect(try await calotype("sign", "--info", "local:///cat.jpg").lines == ["/info/_/plain/local:///cat.jpg"])
        for wrong in [["local:///cat.jpg@png"], ["local:///cat.jpg", "w:10"]] {
            #expect(try await calotype.start(["sign", "--info"] + wrong).ending().status == 2)
        }
        let query = try await calotype("sign", "http://a/my%20cat.jpg?x=1", "w:30")
        #expect(query.lines == ["/_/w:30/plain/http://a/my%2520cat.jpg%3Fx=1"])
        #expect(try await calotype("sign", "local:///my cat.jpg").lines == ["/_/plain/local:///my%20cat.jpg"])
        #expect(try await calotype("sign", "cat.jpg").status == 2)
        #expect(try await calotype("sign", "local:///a%b#c.jpg").lines == ["/_/plain/local:///a%25b%23c.jpg"])
    }

    @Test(arguments: [
        ("local:///a@b.jpg@webp", "local:///a%40b.jpg@webp"), ("s3://photos/at@home.jpg", "s3://photos/at%40home.jpg"),
        ("local:///a@b@png", "local:///a%40b@png"),
    ])
    func `sign escapes an at sign that is no format's`(source: String, path: String) async throws {
        #expect(try await calotype("sign", source).lines == ["/_/plain/\(path)"])
    }

    @Test func `sign takes presets, and checks them if the settings have any`() async throws {
        #expect(try await calotype("sign", "local:///a.jpg", "pr:small").lines == ["/_/pr:small/plain/local:///a.jpg"])
        func sign(_ words: String...) async throws -> Calotype.Ending {
            let presets = ["--preset", "small=w:100", "--preset", "sharp=sh:1"]
            return try await calotype.start(["sign", "local:///a.jpg"] + presets + words).ending()
        }
        #expect(try await sign("pr:small").status == 0)
        let other = try await sign("pr:large")
        #expect(other.status == 2 && other.errors.contains("there is no preset \"large\""))
        let alone = try await sign("--presets-only", "small", "sharp")
        #expect(alone.lines == ["/_/small:sharp/plain/local:///a.jpg"])
        let none = try await sign("--presets-only")
        #expect(none.status == 2 && none.errors.contains("begins with the names of presets"))
    }

    @Test func `an option of sign without a colon is named`() async throws {
        let end = try await calotype("sign", "local:///a.jpg", "w=30")
        #expect(end.status == 2 && end.errors.contains("\"w=30\" is not option:argument"))
    }

    @Test func `a root that is no folder is a usage error that names the option`() async throws {
        let end = try await calotype("serve", "--root", "nowhere", "--insecure")
        #expect(end.status == 2 && end.errors.contains("--root nowhere: there is no such folder"))
    }
}
