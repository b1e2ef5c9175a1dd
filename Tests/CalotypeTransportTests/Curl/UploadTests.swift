import CalotypeBase
import CalotypeHTTP
import CalotypeTesting
import TestSupport
import Foundation
import Testing

@testable import CalotypeTransport

/// A proxy's requirements on the wire: bodies sent as they arrive, interim responses, and no additions.
struct UploadTests {
    let origin: OriginServer
    let transport = CurlTransport()

    init() throws {
        origin = try OriginServer()
    }

    private func put(_ upload: HTTPUpload) async throws -> HTTPResponse {
        var request = HTTPRequest(origin.url("/up"), method: .put)
        request.upload = upload
        return try await transport.send(request)
    }

    @Test(.timeLimit(.minutes(1))) func `who sends is told that nobody wants the rest, though a piece still waits`()
        async
    {
        let (asked, told) = (Gate(), Gate())
        let feed = UploadFeed()
        feed.start(HTTPBody(EndlessPieces(asked, told)), wake: {})
        // The second piece has been handed out: it waits until the first is taken, or will in a moment.
        await asked.wait()
        feed.close()
        await told.wait()
        guard case .failed = feed.read(into: UnsafeMutableRawBufferPointer(start: nil, count: 0)) else {
            Issue.record("a feed that is closed has something to give")
            return
        }
    }

    @Test(arguments: [0, 1, 65_536, 3_000_000])
    func `an upload of known length arrives whole`(size: Int) async throws {
        let body = noise(size)
        #expect(try await put(HTTPUpload(HTTPBody(Pieces(body)), length: size)).status == 404)
        #expect(origin.requests[0].body == body)
        #expect(origin.requests[0].fields["Content-Length"] == "\(size)")
        #expect(origin.requests[0].fields["Expect"] == nil)
    }

    @Test func `an upload of unknown length is chunked`() async throws {
        let body = noise(300_000)
        #expect(try await put(HTTPUpload(HTTPBody(Pieces(body)))).status == 404)
        #expect(origin.requests[0].body == body)
        #expect(origin.requests[0].fields["Transfer-Encoding"] == "chunked")
        #expect(origin.requests[0].fields["Content-Length"] == nil)
    }

    @Test func `an upload that fails fails the exchange with its own error`() async throws {
        let failure = TransportError(.connectionLost, "the client left")
        let body = HTTPBody(Pieces(noise(100_000), then: failure))
        let error = await #expect(throws: TransportError.self) { try await put(HTTPUpload(body, length: 200_000)) }
        #expect(error?.message == "the client left")
    }

    @Test func `cancelling lets the upload go`() async throws {
        let gate = Gate()
        let released = Gate()
        let body = HTTPBody(Pieces(noise(10), heldBy: gate, released: released))
        let upload = HTTPUpload(body, length: 20)
        let task = Task { [self] in try await put(upload) }
        await gate.waitForWaiters(1)
        task.cancel()
        await #expect(throws: TransportError.self) { try await task.value }
        // The task that waits for more of the body is cancelled.
        await released.wait()
    }

    @Test func `an upload is never tried again`() async throws {
        origin.on("/up", .status(503))
        var request = HTTPRequest(origin.url("/up"))
        request.upload = HTTPUpload(HTTPBody(Pieces(noise(10))), length: 10)
        _ = try await transport.retried().send(request)
        #expect(origin.requestCount() == 1)
    }

    @Test func `interim responses are told in order, and are not the answer`() async throws {
        let raw = try RawListener(
            answer: Array(
                ("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 102 Processing\r\n\r\n"
                    + "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok").utf8))
        defer { raw.stop() }
        let url = try #require(URL(string: "http://127.0.0.1:\(raw.port)/"))
        let told = Locked<[String]>([])
        let observer: InterimResponses.Observer = { status, fields in
            told.withLock { $0.append("\(status) \(fields["Link"] ?? "")") }
        }
        let response = try await InterimResponses.$observer.withValue(observer) {
            try await transport.send(HTTPRequest(url))
        }
        #expect(response.status == 200)
        #expect(response.fields["Link"] == nil)
        #expect(try await response.body.collect() == Data("ok".utf8))
        #expect(told.withLock { $0 } == ["103 </a>", "102 "])
    }

    @Test func `told to add nothing, it adds nothing`() async throws {
        var options = CurlTransport.Options()
        options.addsNothing = true
        let plain = CurlTransport(options: options)
        _ = try await plain.send(HTTPRequest(origin.url("/")))
        _ = try await plain.send(HTTPRequest(origin.url("/"), method: .post, body: Data("abc".utf8)))
        let names = origin.requests.map { $0.fields.map(\.name).sorted() }
        #expect(names == [["host"], ["content-length", "host"]])
    }
}

/// A body in pieces of 10,000 bytes, with a given end.
private final class Pieces: HTTPBodySource {
    private let rest: Locked<Data>
    private let failure: TransportError?
    private let gate: Gate?
    private let released: Gate?

    init(_ body: Data, then failure: TransportError? = nil, heldBy gate: Gate? = nil, released: Gate? = nil) {
        rest = Locked(body)
        self.failure = failure
        self.gate = gate
        self.released = released
    }

    func next() async throws(TransportError) -> Data? {
        let piece = rest.withLock { rest in
            defer { rest = Data(rest.dropFirst(10_000)) }
            return Data(rest.prefix(10_000))
        }
        if !piece.isEmpty { return piece }
        if let failure { throw failure }
        await gate?.wait()
        if Task.isCancelled { released?.open() }
        return nil
    }
}

/// Opens one gate when its second piece is requested, another when a cancelled task requests one.
private final class EndlessPieces: HTTPBodySource {
    private let count = Locked(0)
    private let asked: Gate
    private let told: Gate

    init(_ asked: Gate, _ told: Gate) {
        self.asked = asked
        self.told = told
    }

    func next() async throws(TransportError) -> Data? {
        if Task.isCancelled {
            told.open()
            throw .cancelled
        }
        if count.withLock({ count in
            count += 1
            return count == 2
        }) {
            asked.open()
        }
        return Data([0])
    }
}
