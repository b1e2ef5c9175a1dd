import Calotype
import CalotypeBase
import CalotypeCodecs
import CalotypeHTTP
import CalotypeStore
import CalotypeTesting
import Foundation
import Requirements
import Testing

/// A body that breaks off goes on where it broke off, from the bytes in memory.
@Suite(.requirement("B50")) struct ResumptionTests {
    private let origin: OriginServer
    private let body: Data

    init() throws {
        origin = try OriginServer()
        // Blanks end the words that the decoder reads.
        let start = PlainDecoder.data(blue: 7) + Data(String(repeating: " ", count: 64).utf8)
        body = start + Data((start.count..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
    }

    private func loader(_ change: (inout ImageLoaderOptions) -> Void = { _ in }) -> ImageLoader {
        var options = ImageLoaderOptions.ephemeral
        options.decoders.register(PlainDecoder())
        options.retry.firstPause = .zero
        change(&options)
        return ImageLoader(options)
    }

    private static let fields: HTTPFields = [
        "ETag": "\"1\"", "Accept-Ranges": "bytes", "Cache-Control": "max-age=60", "Content-Type": "image/x",
    ]

    /// Serves the body, which breaks off at each of these offsets in turn, and its rest.
    private func serve(_ path: String = "/a", cuts: [Int], fields: HTTPFields = fields) {
        let replies = Locked(cuts[...])
        origin.on(path) { [body] request in
            let cut = replies.withLock { $0.popFirst() }
            guard let start = request.rangeStart, request.fields["If-Range"] == fields["ETag"] else {
                let reply = OriginReply(fields: fields, body: body)
                return cut.map { reply.droppedAfter(bytes: $0) } ?? reply
            }
            let reply = OriginReply.rest(of: body, from: start, fields)
            return cut.map { reply.droppedAfter(bytes: $0 - start) } ?? reply
        }
    }

    /// Loads the bytes, which have to be those of the body.
    private func load(_ loader: ImageLoader, _ path: String = "/a") async throws {
        #expect(try await loader.data(for: ImageRequest(origin.url(path))) == body)
    }

    private var ranges: [ByteString?] { origin.requests.map { $0.fields["Range"] } }

    @Test(arguments: [1, 2, 99, 4096, 16_384, 50_000, 65_536, 99_998, 99_999])
    func `a body without a store goes on from the bytes in memory`(cut: Int) async throws {
        serve(cuts: [cut])
        try await load(loader())
        #expect(ranges == [nil, ByteString("bytes=\(cut)-")])
        #expect(origin.requests.last?.fields["If-Range"] == "\"1\"")
    }

    @Test func `a body that breaks off twice gets each byte once`() async throws {
        serve(cuts: [40_000, 80_000])
        try await load(loader())
        #expect(ranges == [nil, "bytes=40000-", "bytes=80000-"])
    }

    @Test func `a body that breaks off more often than allowed fails`() async throws {
        serve(cuts: [40_000, 60_000, 80_000])
        #expect(await imageError { try await loader().data(for: ImageRequest(origin.url("/a"))) } != nil)
        #expect(ranges.count == 3)
        serve(cuts: [40_000])
        let never = loader { $0.resumptions = 0 }
        #expect(await imageError { try await never.data(for: ImageRequest(origin.url("/a"))) } != nil)
        #expect(ranges.count == 4)
    }

    @Test func `progress goes on with the bytes`() async throws {
        serve(cuts: [40_000])
        let seen = Locked<[Int]>([])
        let request = ImageRequest(origin.url("/a"))
        _ = try await loader().data(for: request) { progress in seen.withLock { $0.append(progress.received) } }
        let received = seen.withLock { $0 }
        #expect(received == received.sorted() && received.last == body.count)
    }

    // MARK: Starting over

    static let unresumable: [(String, HTTPFields)] = [
        ("a weak tag", ["ETag": "W/\"1\""]), ("a tag that is none", ["ETag": "1"]), ("no tag", ["ETag": ""]),
        ("no ranges", ["Accept-Ranges": "none"]), ("silence about ranges", ["Accept-Ranges": ""]),
    ]

    @Test(arguments: unresumable)
    func `a body that cannot be resumed safely starts over`(_ claim: String, _ change: HTTPFields) async throws {
        var fields = Self.fields
        for field in change { fields[field.name] = field.value.isEmpty ? nil : field.value }
        serve(cuts: [40_000], fields: fields)
        try await load(loader())
        #expect(ranges == [nil, nil], "\(claim)")
    }

    @Test func `a body of unknown length starts over`() async throws {
        let body = body
        origin.on(
            "/a",
            replies: [
                OriginReply(fields: Self.fields, body: body).chunked().droppedAfter(bytes: 40_000),
                OriginReply(fields: Self.fields, body: body),
            ])
        try await load(loader())
        #expect(ranges == [nil, nil])
    }

    @Test func `another representation replaces the bytes in memory`() async throws {
        var newer = Self.fields
        newer["ETag"] = "\"2\""
        let old = Data(repeating: 0, count: body.count)
        origin.on(
            "/a",
            replies: [
                OriginReply(fields: Self.fields, body: old).droppedAfter(bytes: 40_000),
                OriginReply(fields: newer, body: body),
            ])
        try await load(loader())
        #expect(ranges == [nil, "bytes=40000-"])
    }

    static let wrong: [(String, Int, HTTPFields)] = [
        ("another tag", 206, ["ETag": "\"2\""]), ("a weak tag", 206, ["ETag": "W/\"1\""]),
        ("no tag", 206, ["ETag": ""]),
        ("a gap", 206, ["Content-Range": "bytes 40001-99999/100000"]),
        ("an overlap", 206, ["Content-Range": "bytes 39999-99999/100000"]),
        ("a part of the rest", 206, ["Content-Range": "bytes 40000-99998/100000"]),
        ("another length", 206, ["Content-Range": "bytes 40000-99999/100001"]),
        ("no range", 206, ["Content-Range": ""]), ("a range that is none", 206, ["Content-Range": "bytes junk"]),
        ("several ranges", 206, ["Content-Range": "", "Content-Type": "multipart/byteranges; boundary=x"]),
        ("a coding", 206, ["Content-Encoding": "gzip"]),
        ("not modified", 304, [:]), ("unsatisfiable", 416, ["Content-Range": "bytes */100000"]),
    ]

    @Test(arguments: wrong)
    func `a part that is not the rest is never joined`(_ claim: String, _ status: Int, _ change: HTTPFields)
        async throws
    {
        let (body, cuts) = (body, Locked([40_000]))
        origin.on("/a") { request in
            guard let start = request.rangeStart else {
                let reply = OriginReply(fields: Self.fields, body: body)
                return cuts.withLock { $0.popLast() }.map { reply.droppedAfter(bytes: $0) } ?? reply
            }
            var reply = OriginReply.rest(of: Data(repeating: 0, count: body.count), from: start, Self.fields)
            reply.status = status
            if status != 206 { reply.body = Data() }
            for field in change { reply.fields[field.name] = field.value.isEmpty ? nil : field.value }
            return reply
        }
        try await load(loader())
        #expect(ranges == [nil, "bytes=40000-", nil], "\(claim)")
    }

    @Test(arguments: [-1, 1]) func `a rest of another length than its range is no body`(difference: Int) async throws {
        let (body, fields) = (body, Self.fields)
        origin.on("/a") { request in
            guard let start = request.rangeStart else {
                return OriginReply(fields: fields, body: body).droppedAfter(bytes: 40_000)
            }
            var reply = OriginReply.rest(of: body, from: start, fields)
            reply.body = difference < 0 ? reply.body.dropLast() : reply.body + Data([0])
            return reply.chunked()
        }
        #expect(await imageError { try await loader().data(for: ImageRequest(origin.url("/a"))) } != nil)
    }

    @Test func `a redirect that leads elsewhere starts over`() async throws {
        let other = PlainDecoder.data(blue: 9)
        serve("/old", cuts: [40_000])
        origin.on("/new", OriginReply(fields: Self.fields, body: other))
        origin.on("/moved", replies: [.redirect(to: "/old"), .redirect(to: "/new"), .redirect(to: "/new")])
        let data = try await loader().data(for: ImageRequest(origin.url("/moved")))
        #expect(data == other)
    }

    @Test func `a redirect to the same place goes on there`() async throws {
        serve("/old", cuts: [40_000])
        origin.on("/moved", .redirect(to: "/old"))
        try await load(loader(), "/moved")
        #expect(origin.requests.last?.fields["Range"] == "bytes=40000-")
    }

    @Test func `an error in place of the rest fails the load`() async throws {
        let body = body
        origin.on(
            "/a",
            replies: [OriginReply(fields: Self.fields, body: body).droppedAfter(bytes: 40_000), .status(404)])
        #expect(await imageError { try await loader().data(for: ImageRequest(origin.url("/a"))) }?.status == 404)
    }

    @Test func `a rest is retried like any request`() async throws {
        let body = body
        origin.on(
            "/a",
            replies: [
                OriginReply(fields: Self.fields, body: body).droppedAfter(bytes: 40_000), .status(503),
                .rest(of: body, from: 40_000, Self.fields),
            ])
        try await load(loader())
        #expect(ranges == [nil, "bytes=40000-", "bytes=40000-"])
    }

    @Test func `a condition of the caller's own stays alone`() async throws {
        serve(cuts: [40_000])
        var request = HTTPRequest(origin.url("/a"))
        request.fields["If-Match"] = "\"1\""
        #expect(try await loader().data(for: ImageRequest(source: .request(request))) == body)
        #expect(ranges == [nil, nil])
    }

    // MARK: Stores and limits

    @Test func `a response that the disk store must not keep goes on from memory`() async throws {
        let folder = TemporaryFolder()
        var fields = Self.fields
        fields["Cache-Control"] = "no-store"
        serve(cuts: [40_000], fields: fields)
        let disk = DiskStore(directory: folder.path)
        try await load(loader { $0.disk = .store(disk) })
        #expect(ranges == [nil, "bytes=40000-"])
    }

    @Test func `a body that the policy keeps from the disk store goes on from memory`() async throws {
        let folder = TemporaryFolder()
        serve(cuts: [40_000])
        let loader = loader {
            $0.disk = .store(DiskStore(directory: folder.path))
            $0.storage = .encoded
        }
        for _ in 0..<2 {
            let request = ImageRequest(origin.url("/a"), size: ResizeTarget(width: 2))
            #expect(try await loader.fetch(request).blue == 7)
        }
        #expect(ranges.prefix(2) == [nil, "bytes=40000-"])
    }

    @Test(arguments: [(39_999, false), (40_000, true), (40_001, true)])
    func `the bytes in memory count against the limit`(limit: Int, isResumed: Bool) async throws {
        serve(cuts: [40_000])
        try await load(loader { $0.undecodedBytes = limit })
        #expect(ranges == [nil, isResumed ? "bytes=40000-" : nil])
    }

    @Test(arguments: [1, 60_000, 64 << 20])
    func `many broken bodies end with two slots and little room`(limit: Int) async throws {
        for number in 0..<12 { serve("/\(number)", cuts: [40_000, 60_000]) }
        let loader = loader {
            $0.undecodedBytes = limit
            $0.downloads = 2
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<12 { group.addTask { try await load(loader, "/\(number)") } }
            try await group.waitForAll()
        }
    }
}

extension OriginRequest {
    fileprivate var rangeStart: Int? {
        fields["Range"].flatMap { Int($0.string.dropFirst("bytes=".count).dropLast()) }
    }
}

extension OriginReply {
    /// The rest of a body, with the fields of the whole.
    fileprivate static func rest(of body: Data, from start: Int, _ fields: HTTPFields) -> OriginReply {
        var fields = fields
        fields["Content-Range"] = "bytes \(start)-\(body.count - 1)/\(body.count)"
        return OriginReply(status: 206, fields: fields, body: body[start...])
    }
}
