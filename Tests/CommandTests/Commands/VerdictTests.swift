import CalotypeBase
import CalotypeHTTP
import CalotypeTesting
import Foundation
import Testing

/// `-v`: the cache's decision, and the section of the standard behind it.
struct VerdictTests {
    private let calotype: Calotype
    private let origin: OriginServer

    init() throws {
        calotype = try Calotype()
        origin = try OriginServer()
    }

    private func photo(_ fields: (name: String, value: String)...) -> OriginReply {
        var reply = OriginReply.ok(Pictures.jpeg())
        for field in fields { reply.fields.append(ByteString(field.value), to: CaselessString(field.name)) }
        return reply
    }

    /// Returns the cache's decision about the image in a run with these options.
    private func verdict(_ path: String, _ words: String...) async throws -> String {
        let words = ["fetch", "-v", "--overwrite", origin.url(path).absoluteString] + words
        let ending = try await calotype.start(words).ending()
        #expect(ending.status == 0, "\(ending.errors)")
        return ending.lines.first ?? ""
    }

    @Test func `a new image, a fresh one, and one that is asked for again, each name their rule`()
        async throws
    {
        origin.on("/a.jpg", photo(("Cache-Control", "max-age=100"), ("ETag", "\"1\"")))
        let new = try await verdict("/a.jpg")
        // A response may be a second old by the time it is stored.
        let words = /not stored before; stored, fresh for \d+ s \(RFC 9111 §4, RFC 9111 §3\)$/
        #expect(new.firstMatch(of: words) != nil, "\(new)")
        let fresh = try await verdict("/a.jpg")
        #expect(fresh.firstMatch(of: /fresh for \d+ s \(RFC 9111 §4\.2\.1\)$/) != nil, "\(fresh)")
        let reload = try await verdict("/a.jpg", "--policy", "reload")
        #expect(reload.contains("the request does not accept the stored response"), "\(reload)")
        #expect(reload.contains("RFC 9111 §5.2.1"), "\(reload)")
    }

    @Test func `a stale image is confirmed, or replaced`() async throws {
        let old = photo(("Cache-Control", "max-age=0"), ("ETag", "\"1\""))
        origin.on("/a.jpg", replies: [old, .status(304)])
        _ = try await verdict("/a.jpg")
        let confirmed = try await verdict("/a.jpg")
        #expect(confirmed.contains("stale; the origin confirmed it (304)"), "\(confirmed)")
        #expect(confirmed.contains("RFC 9111 §4.2, RFC 9111 §4.3.4"))
    }

    @Test func `what may not be stored names the directive's section`() async throws {
        origin.on("/a.jpg", photo(("Cache-Control", "no-store")))
        #expect(
            try await verdict("/a.jpg").hasSuffix(
                "not stored before; not stored: no-store (RFC 9111 §4, RFC 9111 §5.2.2.5)"))
    }

    @Test func `a stale image in the place of an origin that fails names that`() async throws {
        let old = photo(("Cache-Control", "max-age=0, stale-if-error=600"), ("ETag", "\"1\""))
        origin.on("/a.jpg", replies: [old, .status(503)])
        _ = try await verdict("/a.jpg")
        let stale = try await verdict("/a.jpg")
        #expect(
            stale.contains("stale, used because the origin answered 503 (RFC 9111 §4.2.4, RFC 5861 §4)"), "\(stale)")
    }

    @Test func `--json has it with -v, beside the field of RFC 9211, and resize says it too`() async throws {
        origin.on("/a.jpg", photo(("Cache-Control", "max-age=100")))
        let url = origin.url("/a.jpg").absoluteString
        for words in [["fetch", url], ["resize", url, "b.jpg", "--size", "20"]] {
            let plain = try await calotype.start(words + ["--json", "--overwrite"]).ending()
            #expect(!String(decoding: plain.output, as: UTF8.self).contains("\"cache\""))
            let ending = try await calotype.start(words + ["--json", "-v", "--overwrite"]).ending()
            let record = try #require(try JSONSerialization.jsonObject(with: ending.output) as? [String: Any])
            let cache = try #require(record["cache"] as? [String: Any])
            #expect(cache["rules"] as? [String] == ["RFC 9111 §4.2.1"])
            #expect((cache["status"] as? String)?.hasPrefix("Calotype; hit; ttl=") == true)
        }
    }

    @Test func `without a cache none is asked`() async throws {
        origin.on("/a.jpg", .ok(Pictures.jpeg()))
        #expect(try await verdict("/a.jpg", "--no-cache").hasSuffix("the cache was not used"))
    }
}
