import CalotypeBase
import CalotypeCodecs
import CalotypeHTTP
import CalotypeTesting
import TestSupport
import CalotypeTransport
import CalotypeStore
import Foundation
import Testing

@testable import CalotypeServer
@testable import CalotypeURLs

/// Sources in a bucket, behind the rules for addresses of the internet: the store's address is exempt.
@Suite struct ObjectSourceTests {
    private let clock = ManualClock()
    private let store: S3Server
    private let server: TestServer
    private let reports = Log<String>()
    private let records = Log<AnswerRecord>()

    init() throws {
        let store = try S3Server(clock)
        self.store = store
        server = try TestServer { [clock, reports, records] in
            try $0.allowed.objects.add(store.bucket("photos"))
            try $0.allowed.allow("s3://photos/public")
            $0.addresses = .internet
            $0.environment = S3Server.environment
            $0.wallClock = clock.wall
            $0.report = { reports.add($0) }
            $0.log = { records.add($0) }
        }
    }

    private static func target(_ source: ByteString, width: Int = 64) -> ByteString {
        "/_/w:\(width)/f:png/\(ByteString(base64: source.bytes))"
    }

    private func get(_ key: ByteString, width: Int = 64) async throws -> TestServer.Answer {
        try await server.get(Self.target("s3://photos/\(key)", width: width))
    }

    // MARK: Keys

    private static let oddKeys: [ByteString] = [
        "a.jpg", "a b.jpg", " a ", "a=b", "a:b", "a+b", "%41", "a//b", "/a", "a..b", "é",
        "e\u{301}", "a?b#c", "a&b;c@d!$'()*,[]", "a\\b", "a\nb", "a\u{7F}\u{1}", "s3://photos/a", "key a", "a/",
    ]

    @Test(arguments: oddKeys)
    func `a key reaches its own object, byte for byte`(key: ByteString) async throws {
        store.put("photos/public/\(key)")
        let answer = try await get("public/\(key)")
        #expect(answer.status == 200 && answer.size?.width == 64, "\(answer.text)")
        #expect(store.origin.requestCount() == 1)
    }

    @Test func `a key of 1,024 bytes reaches its object, and a longer one is a 400`() async throws {
        let key = ByteString("public/" + String(repeating: "é", count: 508) + "k")
        store.put("photos/\(key)")
        #expect(try await get(key).status == 200)
        #expect(try await get("\(key)k").status == 400)
        #expect(store.origin.requestCount() == 1)
    }

    // A gateway that resolves them would give out other objects of the same credentials.
    @Test(arguments: ["../b", "./b", "a/../../private/b", "a/..", "a\\..\\..\\b", "..;a/b"] as [ByteString])
    func `a key that leads out of the prefix once it is resolved is a 403, and nothing is signed`(
        key: ByteString
    ) async throws {
        store.put("photos/public/\(key)")
        #expect(try await get("public/\(key)").status == 403)
        #expect(store.origin.requestCount() == 0)
    }

    @Test(arguments: [("host", true), ("path", false)])
    func `a key with dots is permitted in a whole bucket if the path has none besides the key`(
        style: String, isPermitted: Bool
    ) throws {
        var allowed = AllowedSources()
        try allowed.objects.add(ByteString("photos endpoint=https://objects.example.com style=\(style)"))
        try allowed.allow("s3://photos")
        #expect(((try? allowed.objects.object(of: "s3://photos/../other/a")) != nil) == isPermitted)
        try allowed.allow("s3://photos/public")
        #expect(((try? allowed.objects.object(of: "s3://photos/public/../a")) != nil) == isPermitted)
    }

    @Test func `all buckets are permitted together, but refused ones, each at the place of the others`() async throws {
        let server = try TestServer { [store] in
            try $0.allowed.objects.add(ByteString("* endpoint=http://\(store.host)"))
            try $0.allowed.objects.add("* style=path")
            try $0.allowed.allow("s3://*")
            try $0.allowed.objects.refuse("s3://private")
            $0.environment = S3Server.environment
            $0.wallClock = clock.wall
        }
        for bucket in ["photos", "marks", "private"] { store.put(ByteString("\(bucket)/a.jpg")) }
        for (bucket, status) in [("photos", 200), ("marks", 200), ("private", 403), ("None", 400)] {
            let answer = try await server.get(Self.target(ByteString("s3://\(bucket)/a.jpg")))
            #expect(answer.status == status, "\(bucket)")
        }
        #expect(store.origin.requests.allSatisfy { $0.fields["Authorization"] != nil })
        #expect(store.origin.requestCount() == 2)
    }

    @Test(arguments: ["a.jpg?versionId=1", "a.jpg?x=1?versionid="] as [ByteString])
    func `a source with the version of an object is a 400`(key: ByteString) async throws {
        let answer = try await get("public/\(key)")
        #expect(answer.status == 400 && answer.text.contains("versions of objects"))
    }

    @Test func `a field for a bucket whose requester pays is sent and signed`() async throws {
        let server = try TestServer { [store] in
            try $0.allowed.objects.add(store.bucket("photos"))
            try $0.allowed.allow("s3://photos/public")
            $0.environment = S3Server.environment
            $0.wallClock = clock.wall
            let place = try URLPrefix("http://\(store.host)/photos")
            $0.sourceFields = [(place, ["x-amz-request-payer": "requester"])]
        }
        store.put("photos/public/a.jpg")
        #expect(try await server.get(Self.target("s3://photos/public/a.jpg")).status == 200)
        let request = try #require(store.origin.requests.first)
        #expect(request.fields["x-amz-request-payer"] == "requester")
        #expect(request.fields["Authorization"]?.contains(";x-amz-request-payer") == true)
    }

    // Two objects, although their names look the same.
    @Test func `both forms of an accented letter have their own objects`() async throws {
        store.put("photos/public/\u{E9}")
        #expect(try await get("public/\u{E9}").status == 200)
        #expect(try await get("public/e\u{301}").status == 404)
    }

    @Test func `one object of several sizes is loaded once`() async throws {
        store.put("photos/public/a.jpg")
        #expect(try await get("public/a.jpg", width: 64).status == 200)
        #expect(try await get("public/a.jpg", width: 32).status == 200)
        #expect(store.origin.requestCount() == 1)
    }

    // MARK: Permission

    @Test(
        arguments: [
            "s3://photos/private/a.jpg", "s3://photos/public", "s3://photos/publicity/a.jpg", "s3://photos/a.jpg",
            "s3://other/public/a.jpg", "http://169.254.169.254/latest/meta-data/", "http://127.0.0.1/a.jpg",
        ] as [ByteString])
    func `a source that is not permitted is a 403, and nothing is connected`(source: ByteString) async throws {
        store.put("photos/private/a.jpg")
        #expect(try await server.get(Self.target(source)).status == 403)
        #expect(store.origin.requestCount() == 0)
    }

    @Test(arguments: ["s3://", "s3:///a", "s3://photos", "s3://photos/", "s3://Photos/public/a"] as [ByteString])
    func `a source that names no object is a 400`(source: ByteString) async throws {
        #expect(try await server.get(Self.target(source)).status == 400)
        #expect(store.origin.requestCount() == 0)
    }

    private static let prefixes: [(prefix: ByteString, source: ByteString, isPermitted: Bool)] = [
        ("s3://photos", "s3://photos/a", true), ("s3://photos/", "s3://photos//a", true),
        ("s3://photos/a/", "s3://photos/a/b", true), ("s3://photos/a", "s3://photos//a/b", false),
        ("s3://photos//a", "s3://photos//a/b", true), ("s3://photos//a", "s3://photos/a/b", false),
        ("s3://photos/%61", "s3://photos/a/b", false), ("s3://photos/a b", "s3://photos/a b/c", true),
        ("s3://photos/é", "s3://photos/e\u{301}/c", false), ("S3://photos/a", "s3://photos/a/b", true),
    ]

    @Test(arguments: prefixes)
    func `a prefix is compared in whole parts, byte for byte`(
        prefix: ByteString, source: ByteString, isPermitted: Bool
    ) throws {
        var allowed = AllowedSources()
        try allowed.allow(prefix)
        #expect(((try? allowed.objects.object(of: source)) != nil) == isPermitted, "\(prefix) \(source)")
        #expect(!allowed.includesAnyHost && !allowed.isEmpty)
    }

    @Test func `the path of the prefix is no object of its own, but its slash is`() async throws {
        #expect(try await get("public/").status == 404)
        #expect(store.origin.requestCount() == 1)
    }

    // Otherwise a source of the web would have the credentials of the bucket.
    @Test func `a web URL of an object is not signed`() async throws {
        let server = try TestServer { [store] in
            try $0.allowed.objects.add(store.bucket("photos"))
            try $0.allowed.allow("s3://photos/public")
            try $0.allowed.allow(ByteString(store.origin.url.absoluteString))
            $0.environment = S3Server.environment
        }
        store.put("photos/private/a.jpg")
        store.put("photos/public/a.jpg")
        for path in ["private/a.jpg", "public/a.jpg", "?list-type=2"] {
            let url: ByteString = "http://\(store.host)/photos/\(ByteString(path))"
            #expect(try await server.get(Self.target(url)).status == 404)
        }
        #expect(store.origin.requestCount() == 3)
        #expect(store.origin.requests.allSatisfy { $0.fields["Authorization"] == nil })
    }

    // The exemption of the store's address is for signed requests alone.
    @Test func `a web URL of the store's host is refused under the rules for addresses`() async throws {
        let server = try TestServer { [store] in
            try $0.allowed.objects.add(store.bucket("photos"))
            try $0.allowed.allow("s3://photos/public")
            try $0.allowed.allow(ByteString(store.origin.url.absoluteString))
            $0.addresses = .internet
            $0.environment = S3Server.environment
            $0.wallClock = clock.wall
        }
        store.put("photos/public/a.jpg")
        #expect(try await server.get(Self.target("s3://photos/public/a.jpg")).status == 200)
        #expect(try await server.get(Self.target("http://\(store.host)/photos/public/a.jpg")).status == 403)
        #expect(store.origin.requestCount() == 1)
    }

    @Test(arguments: [301, 302, 303, 307, 308])
    func `a redirect to the metadata address is a 403, and nothing is connected`(status: Int) async throws {
        store.put("photos/public/a.jpg", .redirect(to: "http://169.254.169.254/latest/meta-data/", status: status))
        #expect(try await get("public/a.jpg").status == 403)
        #expect(store.origin.requestCount() == 1)
    }

    @Test(arguments: [302, 307])
    func `a redirect within the store has no signature`(status: Int) async throws {
        let server = try TestServer { [store] in
            try $0.allowed.objects.add(store.bucket("photos"))
            try $0.allowed.allow("s3://photos/public")
            try $0.allowed.allow(ByteString(store.origin.url.absoluteString))
            $0.environment = S3Server.environment
            $0.wallClock = clock.wall
        }
        store.put("photos/private/a.jpg")
        store.put("photos/public/a.jpg", .redirect(to: "/photos/private/a.jpg", status: status))
        #expect(try await server.get(Self.target("s3://photos/public/a.jpg")).status == 404)
        #expect(store.origin.requestCount() == 2)
        #expect(store.origin.requests.last?.fields["Authorization"] == nil)
    }

    // MARK: What a store teaches

    @Test(arguments: [false, true])
    func `the region is learned from the first refusal`(isInField: Bool) async throws {
        store.update { $0.region = "eu-central-1" }
        if isInField {
            // A store of AWS names the region in a field, also with a redirect.
            let fields: HTTPFields = ["x-amz-bucket-region": "eu-central-1"]
            let first = S3Server.failure(301, "PermanentRedirect", "", fields)
            store.update { $0.refusals = [first] }
        }
        store.put("photos/public/a.jpg")
        store.put("photos/public/b.jpg")
        #expect(try await get("public/a.jpg").status == 200)
        #expect(store.origin.requestCount() == 2)
        #expect(try await get("public/b.jpg").status == 200)
        #expect(store.origin.requestCount() == 3)
    }

    @Test(arguments: [-1200.0, 1200.0])
    func `a clock that is twenty minutes off is corrected once`(offset: Double) async throws {
        store.update { $0.offset = offset }
        store.put("photos/public/a.jpg")
        store.put("photos/public/b.jpg")
        #expect(try await get("public/a.jpg").status == 200)
        #expect(try await get("public/b.jpg").status == 200)
        #expect(store.origin.requestCount() == 3)
    }

    @Test func `a wrong clock, another region and expired credentials are overcome by one request`() async throws {
        store.update {
            $0.offset = 1200
            $0.region = "eu-central-1"
            $0.refusals = [S3Server.failure(400, "ExpiredToken")]
        }
        store.put("photos/public/a.jpg")
        #expect(try await get("public/a.jpg").status == 200)
        #expect(store.origin.requestCount() == 4)
    }

    // MARK: Refusals

    @Test(arguments: [(403, "AccessDenied"), (404, "NoSuchKey"), (404, "NoSuchVersion")])
    func `an absent object is a 404, and a line has the code of a refusal`(status: Int, code: String) async throws {
        store.update { $0.refusal = S3Server.failure(status, code) }
        for width in [64, 32] { #expect(try await get("public/a.jpg", width: width).status == 404) }
        #expect(store.origin.requestCount() == 1)
        #expect(reports.entries.count == (code == "NoSuchKey" ? 0 : 1))
        #expect(reports.entries.allSatisfy { $0.contains(code) && $0.contains("photos") })
    }

    @Test(arguments: [
        (403, "SignatureDoesNotMatch"), (403, "InvalidAccessKeyId"), (400, "InvalidRequest"),
        (403, "RequestTimeTooSkewed"), (400, "ExpiredToken"), (301, "PermanentRedirect"), (503, "SlowDown"),
        (409, "InvalidObjectState"), (404, "NoSuchBucket"),
    ])
    func `another refusal is a 502, and one line has its code`(status: Int, code: String) async throws {
        store.update { $0.refusal = S3Server.failure(status, code) }
        for width in [64, 32] {
            let answer = try await get("public/a.jpg", width: width)
            #expect(answer.status == 502 && !answer.text.contains("photos"), "\(answer.text)")
        }
        #expect(reports.entries.count == 1)
        #expect(reports.entries.allSatisfy { $0.contains(code) && $0.contains("photos") })
        let texts = reports.entries + records.entries.map(\.line)
        #expect(!texts.contains { $0.contains("secret/+=") || $0.contains("AKIA1") })
    }

    private static let pages: [(String, OriginReply)] = [
        ("HTML", .html("<html>a proxy's page</html>")), ("no XML", OriginReply(body: Data([0, 1, 2, 255]))),
        ("nothing", OriginReply()),
    ]

    @Test(arguments: pages.indices)
    func `a refusal without S3's XML is a 502`(page: Int) async throws {
        var reply = Self.pages[page].1
        reply.status = 403
        store.update { [reply] in $0.refusal = reply }
        #expect(try await get("public/a.jpg").status == 502)
        #expect(reports.entries.count == 1 && reports.entries.allSatisfy { $0.contains("status 403") })
    }

    // The rest never comes: the gate stays closed.
    @Test(arguments: [(403, "AccessDenied", 404), (400, "InvalidRequest", 502)])
    func `a hundred megabytes of XML are not read`(status: Int, code: String, answer: Int) async throws {
        let gate = Gate()
        var reply = S3Server.failure(status, code)
        reply.body += Data(repeating: 0x20, count: 5000)
        let refusal = reply.announcing(contentLength: 100 << 20).bodyHeld(by: gate, after: 5000)
        store.update { $0.refusal = refusal }
        #expect(try await get("public/a.jpg").status == answer)
    }

    @Test func `an object shorter than its length is a 502`() async throws {
        let reply = WebServer.reply()
        store.put("photos/public/a.jpg", reply.droppedAfter(bytes: reply.body.count / 2))
        #expect(try await get("public/a.jpg").status == 502)
    }

    // MARK: Validators and ranges

    @Test func `a stale object is confirmed by a signed request with its validator`() async throws {
        store.put("photos/public/a.jpg")
        #expect(try await get("public/a.jpg").status == 200)
        store.put("photos/public/a.jpg", WebServer.confirmation)
        clock.advance(by: .seconds(200))
        #expect(try await get("public/a.jpg", width: 32).status == 200)
        let last = try #require(store.origin.requests.last)
        #expect(last.fields["If-None-Match"] == "\"v1\"" && last.fields["Authorization"] != nil)
    }

    @Test func `an object without Cache-Control has the lifetime of sources`() async throws {
        store.put("photos/public/a.jpg", WebServer.reply(nil))
        #expect(try await get("public/a.jpg").fields["Cache-Control"]?.contains("max-age=3600") == true)
        clock.advance(by: .seconds(3000))
        #expect(try await get("public/a.jpg", width: 32).status == 200)
        #expect(store.origin.requestCount() == 1)
    }

    // Stores send Last-Modified with each object. A lifetime derived from it would be none for one that is new.
    @Test(arguments: [0, 31_536_000] as [Double])
    func `an object of any age is fresh for the default time`(age: Double) async throws {
        var reply = WebServer.reply(nil)
        reply.fields["Last-Modified"] = HTTPDate.format(clock.wall.now - age)
        reply.fields["Date"] = HTTPDate.format(clock.wall.now)
        store.put("photos/public/a.jpg", reply)
        #expect(try await get("public/a.jpg").fields["Cache-Control"]?.contains("max-age=3600") == true)
    }

    @Test func `an explanation finds the object in the store`() async throws {
        let server = try TestServer { [store, clock] in
            try $0.allowed.objects.add(store.bucket("photos"))
            try $0.allowed.allow("s3://photos/public")
            $0.addresses = .internet
            $0.environment = S3Server.environment
            $0.wallClock = clock.wall
            $0.store = "\($0.root)-store"
        }
        store.put("photos/public/a b.jpg")
        let target = Self.target("s3://photos/public/a b.jpg")
        #expect(try await server.get(target).status == 200)
        for disk in server.server.disks { try await disk.flush() }
        let lines = try await server.options.explanation(of: target)
        #expect(lines.contains("source          s3://photos/public/a b.jpg"))
        #expect(lines.contains("stored source   fresh for 100 s"), "\(lines)")
        #expect(store.origin.requestCount() == 1)
    }

    // MARK: Rules that change

    @Test func `a reload takes buckets, permitted objects and credentials`() async throws {
        store.put("photos/public/a.jpg")
        store.put("photos/private/a.jpg")
        store.put("others/a.jpg")
        #expect(try await get("private/a.jpg").status == 403)
        let others = Self.target("s3://others/a.jpg")
        #expect(try await server.get(others).status == 403)
        store.update { $0.credentials = SigV4.Credentials(id: "AKIA2", secret: "other") }
        var options = server.options
        try options.allowed.objects.add(store.bucket("others"))
        try options.allowed.allow("s3://others")
        options.environment["AWS_ACCESS_KEY_ID"] = "AKIA2"
        options.environment["AWS_SECRET_ACCESS_KEY"] = "other"
        server.server.reload(options)
        #expect(try await server.get(others).status == 200)
        #expect(try await get("public/a.jpg").status == 200)
        options.allowed = AllowedSources()
        server.server.reload(options)
        #expect(try await server.get(others).status == 403)
    }
}
