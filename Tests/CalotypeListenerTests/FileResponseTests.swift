import CalotypeBase
import CalotypeHTTP
import CalotypeTesting
import TestSupport
import Foundation
import Testing
import Waiting

@testable import CalotypeListener

/// Bodies that the kernel sends from their files.
@Suite(.timeLimit(.minutes(1))) struct FileResponseTests {
    private let bytes = Data((0..<5_000_000).map { UInt8(truncatingIfNeeded: 32 + ($0 >> 3) % 90) })

    private func listener(_ range: Range<Int>) throws -> (Listener, Locked<[Listener.Outcome]>) {
        let file = try TemporaryFile(bytes)
        let outcomes = Locked<[Listener.Outcome]>([])
        var options = Listener.Options()
        options.onEnd = { _, outcome in outcomes.withLock { $0.append(outcome) } }
        let listener = try Listener(
            options: options, answer: { _ in .now(ListenerResponse(file: FileSlice(file, range))) })
        return (listener, outcomes)
    }

    @Test(arguments: [0..<1, 0..<5_000_000, 1_234_567..<4_000_001, 4_999_999..<5_000_000, 7..<7])
    func `a part of a file arrives as it is`(_ range: Range<Int>) async throws {
        let (listener, _) = try listener(range)
        let client = try RawClient(port: listener.port)
        // Twice over one connection: the second response begins where the first ends.
        try client.get("/")
        try client.get("/", lines: ["Connection: close"])
        var rest = Data(await client.receive().utf8)
        for _ in 0..<2 {
            let end = try #require(rest.range(of: Data("\r\n\r\n".utf8))).upperBound
            let head = String(decoding: rest[..<end], as: UTF8.self)
            #expect(head.contains("\r\nContent-Length: \(range.count)\r\n"))
            rest = rest[end...]
            #expect(rest.prefix(range.count) == bytes[range])
            rest = rest.dropFirst(range.count)
        }
        #expect(rest.isEmpty)
    }

    @Test func `HEAD has the length and no byte of the file`() async throws {
        let (listener, _) = try listener(10..<1_000_010)
        let client = try RawClient(port: listener.port)
        try client.get("/", method: "HEAD", lines: ["Connection: close"])
        let text = await client.receive()
        #expect(text.contains("\r\nContent-Length: 1000000\r\n") && text.hasSuffix("\r\n\r\n"))
    }

    @Test func `a file that became shorter ends the connection, not the answer`() async throws {
        let (listener, outcomes) = try listener(4_000_000..<6_000_000)
        let client = try RawClient(port: listener.port)
        try client.get("/")
        #expect(await client.receive().utf8.count < 1_500_000)
        await waitUntil { outcomes.withLock { !$0.isEmpty } }
        #expect(outcomes.withLock { $0 } != [.complete])
    }

    // sendfile has no flag to suppress SIGPIPE, which would end the process.
    @Test func `a client that leaves ends its answer alone`() async throws {
        let (listener, outcomes) = try listener(0..<5_000_000)
        for number in 1...5 {
            let client = try RawClient(port: listener.port)
            try client.get("/")
            _ = await client.receive(count: 100)
            // An abort, because the listener would wait for a client that only stops sending: it may still read.
            client.abort()
            await waitUntil { outcomes.withLock { $0.count } >= number }
        }
        let client = try RawClient(port: listener.port)
        try client.get("/", lines: ["Connection: close"])
        #expect(await client.receive().utf8.count > 5_000_000)
    }
}

private final class TemporaryFile: BodyFile {
    private let handle: FileHandle

    init(_ bytes: Data) throws {
        let path = NSTemporaryDirectory() + "/calotype-file-\(UUID().uuidString)"
        try bytes.write(to: URL(fileURLWithPath: path))
        handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
        try FileManager.default.removeItem(atPath: path)
    }

    var descriptor: Int32 { handle.fileDescriptor }

    func read(_ range: Range<Int>) async throws(TransportError) -> Data { Data() }
}
