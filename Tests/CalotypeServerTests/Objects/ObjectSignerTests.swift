import CalotypeBase
import CalotypeHTTP
import CalotypeTesting
import TestSupport
import CalotypeTransport
import CalotypeURLs
import Foundation
import Testing

@testable import CalotypeServer

/// Signed requests of any method, for a store that keeps results.
@Suite struct ObjectSignerTests {
    private let clock = ManualClock()
    private let store: S3Server
    private let bucket: S3Bucket
    private let curl = CurlTransport()
    private let refusals = Log<String>()

    init() throws {
        store = try S3Server(clock)
        bucket = try S3Bucket(store.bucket("results"))
    }

    private func transport(_ environment: [String: String] = S3Server.environment) throws -> any Transport {
        let signers = ObjectSigners(environment: environment, wallClock: clock.wall)
        let signer = signers.signer(of: bucket)
        return curl.signed(by: signer) { [refusals] in refusals.add($0) }
    }

    private func request(_ rest: ByteString, _ method: HTTPMethod = .get, _ body: Data? = nil) throws -> HTTPRequest {
        let url = try #require(URL(text: "\(bucket.root)/\(rest)"))
        return HTTPRequest(url, method: method, body: body)
    }

    private static let keys: [ByteString] = [
        "results/1/a", "results/1/b c", "results/1/é", "results/1/a=b+c&d", "results/2/a",
    ]

    @Test func `objects are stored, listed, read and removed`() async throws {
        let transport = try transport()
        for key in Self.keys {
            let put = try await transport.send(request(S3Bucket.path(ofKey: key), .put, Data(key.bytes)))
            #expect(put.status == 200)
            #expect(store.body(of: "results/\(key)") == Data(key.bytes))
        }
        store.update { $0.pageSize = 2 }
        let query = "list-type=2&start-after=\(Self.keys[0].percentEncoded { $0.isUnreserved })&prefix=results/1/"
        let list = try await transport.send(request("?\(ByteString(query))"))
        let text = String(decoding: try await list.body.collect(), as: UTF8.self)
        #expect(list.status == 200 && text.contains("<Key>results/1/a=b+c&amp;d</Key><Size>1</Size></Contents>"))
        #expect(text.contains("<Key>results/1/b c</Key>") && text.contains("<IsTruncated>true</IsTruncated>"))
        #expect(!text.contains("<Key>results/1/a</Key>") && !text.contains("é") && !text.contains("results/2"))
        for key in Self.keys {
            let path = try S3Bucket.path(ofKey: key)
            #expect(try await transport.send(request(path)).body.collect() == Data(key.bytes))
            #expect(try await transport.send(request(path, .delete)).status == 204)
            #expect(try await transport.send(request(path)).status == 404)
        }
        #expect(refusals.entries.isEmpty)
    }

    // Each is sent again with its body and its query.
    @Test func `lessons count for all methods`() async throws {
        store.update {
            $0.offset = 1200
            $0.region = "eu-central-1"
        }
        #expect(try await transport().send(request("a", .put, Data("a".utf8))).status == 200)
        #expect(store.origin.requestCount() == 3 && store.body(of: "results/a") == Data("a".utf8))
        #expect(try await transport().send(request("?prefix=b&list-type=2")).status == 200)
    }

    @Test(arguments: [HTTPMethod.put, .delete])
    func `a denied change is an error, not an absent object`(method: HTTPMethod) async throws {
        store.update { $0.refusal = S3Server.failure(403, "AccessDenied") }
        let error = await #expect(throws: TransportError.self) {
            try await transport().send(request("a", method, method == .put ? Data() : nil))
        }
        #expect(error?.message.contains("AccessDenied") == true)
        #expect(refusals.entries.count == 1)
    }

    @Test func `a body that is changed on its way is refused`() async throws {
        let signers = ObjectSigners(environment: S3Server.environment, wallClock: clock.wall)
        let signer = signers.signer(of: bucket)
        var sent = try await signer.signed(request("a", .put, Data("a".utf8))).request
        sent.body = Data("b".utf8)
        #expect(try await curl.send(sent).status == 400)
        #expect(store.body(of: "results/a") == nil)
    }

    @Test func `two hundred requests with expired credentials share one renewal`() async throws {
        let metadata = try OriginServer()
        let end = Date(timeIntervalSince1970: clock.wall.now + 3600).formatted(.iso8601)
        metadata.on(
            "/container",
            replies: ["OLD", "NEW", "THIRD"].map {
                .ok(Data(#"{"AccessKeyId":"\#($0)","SecretAccessKey":"s","Token":"t","Expiration":"\#(end)"}"#.utf8))
            })
        store.update {
            $0.credentials = SigV4.Credentials(id: "OLD", secret: "s", token: "t")
        }
        for index in 0..<200 { store.put("results/\(index)", .ok(Data("\(index)".utf8))) }
        let transport = try transport([
            "HOME": "/nonexistent", "AWS_CONTAINER_CREDENTIALS_FULL_URI": metadata.url("/container").absoluteString,
        ])
        #expect(try await transport.send(request("0")).status == 200)
        store.update {
            $0.credentials = SigV4.Credentials(id: "NEW", secret: "s", token: "t")
            $0.expired = ["OLD"]
        }
        let bodies = try await withThrowingTaskGroup(of: Data.self) { group in
            for index in 0..<200 {
                let request = try request("\(index)")
                group.addTask { try await transport.send(request).body.collect() }
            }
            return try await group.reduce(into: Set<Data>()) { $0.insert($1) }
        }
        #expect(bodies.count == 200)
        #expect(metadata.requestCount() == 2)
        #expect(store.origin.requestCount() <= 401)
    }

    @Test func `refused credentials are read again at most every ten seconds`() async throws {
        let metadata = try OriginServer()
        metadata.on("/container", .ok(Data(#"{"AccessKeyId":"WRONG","SecretAccessKey":"s"}"#.utf8)))
        let transport = try transport([
            "HOME": "/nonexistent", "AWS_CONTAINER_CREDENTIALS_FULL_URI": metadata.url("/container").absoluteString,
        ])
        for _ in 0..<20 {
            let error = await #expect(throws: TransportError.self) { try await transport.send(request("a")) }
            #expect(error?.message.contains("InvalidAccessKeyId") == true)
        }
        #expect(metadata.requestCount() == 2)
        clock.advance(by: .seconds(11))
        _ = try? await transport.send(request("a"))
        #expect(metadata.requestCount() == 3)
    }
}
