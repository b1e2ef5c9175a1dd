import CalotypeBase
import CalotypeHTTP
import CalotypeTesting
import CalotypeTransport
import Foundation
import Requirements
import Testing
import Waiting

@testable import CalotypeServer
@testable import calotype_command

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// `calotype serve --nodes`: purges from one process to the others.
struct ServeNodesTests {
    private let calotype: Calotype
    private let photos: String
    private let token: String
    private let client = CurlTransport()

    init() throws {
        calotype = try Calotype()
        try calotype.write(SamplePhotos.jpeg(width: 64, height: 48), to: "photos/cat.jpg")
        photos = calotype.directory.appending(path: "photos").path
        token = try calotype.write("0123456789abcdef-secret\n", to: "token")
    }

    private func node(_ more: String...) throws -> ServerChild {
        try ServerChild(
            [
                "serve", "--root", photos, "--insecure", "--listen", "127.0.0.1:0", "--admin", "127.0.0.1:0",
                "--admin-token", token,
            ] + more, expectsAdmin: true)
    }

    private func ask(_ node: ServerChild, _ page: String, _ body: String? = nil) async throws -> (Int, String) {
        let port = try #require(node.adminPort)
        var request = HTTPRequest(
            try #require(URL(string: "http://127.0.0.1:\(port)/.calotype/\(page)")), method: body == nil ? .get : .post,
            fields: ["Authorization": "Bearer 0123456789abcdef-secret"])
        request.body = body.map { Data($0.utf8) }
        let response = try await client.send(request)
        return (response.status, String(decoding: try await response.body.collect(), as: UTF8.self))
    }

    @Test(.requirement("V46")) func `a purge on one node is in force on the others when it is answered`() async throws {
        let others = [try node(), try node()]
        let ports = try others.map { try #require($0.adminPort) }
        let first = try node("--nodes", "127.0.0.1:\(ports[0]), localhost:\(ports[1])")
        let (status, text) = try await ask(first, "purge", #"{"source":"local:///cat.jpg"}"#)
        #expect(status == 200, "\(text)")
        for (node, port) in zip(others, ports) {
            #expect(text.contains(#"{"node":"127.0.0.1:\#(port)","status":200}"#), "\(text)")
            #expect(try await ask(node, "purges").1.contains("local:///cat.jpg"))
        }
        others[1].send(SIGKILL)
        _ = await others[1].status
        let (later, problem) = try await ask(first, "purge", #"{"all":true}"#)
        #expect(later == 502 && problem.contains("not known to be in force on 127.0.0.1:\(ports[1])"), "\(problem)")
        #expect(try await ask(others[0], "purges").1.contains(#""all":true"#))
    }

    // At any time of its writes: purges that come together are written together.
    @Test(.requirement("V46")) func `a server that is killed while it purges keeps each purge that it has answered`()
        async throws
    {
        let store = calotype.place.appending(path: "store").path
        var random = SplitMix(seed: 46)
        let answered = Locked<Set<ByteString>>([])
        for round in 0..<8 {
            let server = try node("--store", store)
            let goal = answered.withLock { $0.count } + random.number(below: 40)
            let clients = (0..<4).map { client in
                Task {
                    for number in 0... {
                        let url: ByteString = "local:///\(round)/\(client)/\(number).jpg"
                        guard try await ask(server, "purge", #"{"source":"\#(url)"}"#).0 == 200 else { return }
                        answered.withLock { _ = $0.insert(url) }
                    }
                }
            }
            await waitUntil { answered.withLock { $0.count } >= goal }
            server.send(SIGKILL)
            _ = await server.status
            for client in clients { _ = await client.result }
            let purges = PurgeTable.purges(inStore: store)
            #expect(answered.withLock { $0 }.isSubset(of: purges.map(\.target.url)))
        }
        let (status, text) = try await ask(try node("--store", store), "purges")
        #expect(status == 200 && !text.contains(#""all""#) && text.contains("local:///7/"))
    }

    private static let refused: [(value: String, message: String)] = [
        ("", "expected the admin ports of at most 64 nodes"), ("8081", "expected the admin ports"),
        ("10.0.0.2", "expected the admin ports"), ("10.0.0.2:0", "expected the admin ports"),
        ("10.0.0.2:8081,", "expected the admin ports"), ("http://10.0.0.2:8081", "expected the admin ports"),
        ("10.0.0.2:8081/x", "expected the admin ports"), ("a b:8081", "expected the admin ports"),
        ("[::x]:8081", "expected the admin ports"),
        (Array(repeating: "a:1", count: 65).joined(separator: ","), "expected the admin ports"),
    ]

    @Test(arguments: refused) func `a list of nodes that names no admin ports is an error`(
        value: String, message: String
    ) async throws {
        let ending = try await calotype(
            "serve", "--root", photos, "--insecure", "--admin", "8081", "--admin-token", token, "--nodes", value)
        #expect(ending.status == 2)
        #expect(ending.errors.contains("--nodes") && ending.errors.contains(message), "\(ending.errors)")
    }

    @Test func `nodes without a token are an error`() async throws {
        let ending = try await calotype(
            "serve", "--root", photos, "--insecure", "--admin", "8081", "--nodes", "[2001:db8::1]:8081,node.test:8081")
        #expect(ending.status == 2)
        #expect(ending.errors.contains("the nodes accept purges with a token alone: add --admin-token FILE"))
    }
}
