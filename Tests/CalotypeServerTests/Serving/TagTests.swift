import CalotypeBase
import CalotypeHTTP
import CalotypeHTTPCache
import CalotypeTesting
import CalotypeTransport
import CalotypeURLs
import Foundation
import Testing

@testable import CalotypeServer

/// The tags of answers, by which caches in front remove them.
@Suite struct TagTests {
    private func server(_ field: TagField?) throws -> TestServer {
        let server = try TestServer { $0.tagField = field }
        try server.write(SamplePhotos.jpeg(width: 64, height: 48), "cat.jpg")
        try server.write(SamplePhotos.jpeg(width: 64, height: 48, seed: 2), "a b.jpg")
        return server
    }

    private static func tag(_ source: ByteString) throws -> ByteString { try #require(PurgeTarget.source(source).tag) }

    @Test(arguments: TagField.allCases) func `answers have the tag of their source, in the field's own form`(
        _ field: TagField
    ) async throws {
        let server = try server(field)
        let tag = try Self.tag("local:///cat.jpg")
        let answer = try await server.get("/_/w:10/tag:spring:front/plain/local:///cat.jpg@png")
        let expected: [TagField: (CaselessString, ByteString)] = [
            .cacheTag: ("Cache-Tag", "\(tag),spring,front"), .surrogateKey: ("Surrogate-Key", "\(tag) spring front"),
            .groups: ("Cache-Groups", "\"\(tag)\", \"spring\", \"front\""),
        ]
        let (name, value) = try #require(expected[field])
        #expect(answer.status == 200 && answer.fields.values(of: name) == [value])
        #expect(tag.hasPrefix("src-") && tag.count == 36)
        let others = TagField.allCases.filter { $0 != field }
        #expect(others.allSatisfy { answer.fields[$0.name] == nil })
    }

    @Test func `every answer to the URL of a source has its tag`() async throws {
        let server = try server(.surrogateKey)
        let thumbnail: ByteString = "/_/w:10/plain/local:///cat.jpg@png"
        let answers = [
            try await server.get(thumbnail), try await server.get(thumbnail),
            try await server.get(thumbnail, ["If-None-Match": "*"]), try await server.get(thumbnail, method: .head),
            try await server.get("/_/w:20/plain/local:///cat.jpg@webp"),
            try await server.get("/info/_/size:1/plain/local:///cat.jpg"),
        ]
        #expect(answers.map(\.status) == [200, 200, 304, 200, 200, 200])
        let tag = try Self.tag("local:///cat.jpg")
        #expect(answers.allSatisfy { $0.fields.values(of: "Surrogate-Key") == [tag] })
        let missing = try await server.get("/_/w:10/plain/local:///none.jpg@png")
        #expect(missing.status == 404)
        #expect(missing.fields["Surrogate-Key"] == (try Self.tag("local:///none.jpg")))
        let wrong = try await server.get("/_/x:1/plain/local:///cat.jpg@png")
        #expect(wrong.status == 400 && wrong.fields["Surrogate-Key"] == nil)
    }

    @Test func `one result has the tags of each URL that names it`() async throws {
        let server = try server(.cacheTag)
        let tag = try Self.tag("local:///cat.jpg")
        let first = try await server.get("/_/w:10/tag:a/plain/local:///cat.jpg@png")
        let second = try await server.get("/_/w:10/tag:b:a:b/plain/local:///cat.jpg@png")
        let none = try await server.get("/_/w:10/tag:b/tag:/plain/local:///cat.jpg@png")
        #expect(first.outcome == "made" && second.outcome == "hit" && none.outcome == "hit")
        #expect([first, second, none].map { $0.fields["Cache-Tag"] } == ["\(tag),a", "\(tag),b,a", tag])
    }

    @Test func `a fallback image has a tag, too`() async throws {
        let server = try server(.cacheTag)
        let fallback = ByteString(base64: "local:///cat.jpg".utf8)
        let answer = try await server.get("/_/w:10/fiu:\(fallback)/plain/local:///none.jpg@png")
        let tags = try "\(Self.tag("local:///none.jpg")),\(Self.tag("local:///cat.jpg"))" as ByteString
        #expect(answer.fields["Cache-Tag"] == tags)
    }

    @Test func `without the option there are no tags, and URLs may name some`() async throws {
        let answer = try await server(nil).get("/_/w:10/tag:spring/plain/local:///cat.jpg@png")
        #expect(answer.status == 200)
        #expect(TagField.allCases.allSatisfy { answer.fields[$0.name] == nil })
    }

    @Test(
        arguments: [
            ("http://example.com/cat.jpg", "http://EXAMPLE.com:80/%63at.jpg", true),
            ("http://example.com/cat.jpg", "http://example.com./cat.jpg", true),
            ("http://example.com/cat.jpg", "https://example.com/cat.jpg", false),
            ("http://example.com/cat.jpg", "http://example.com/cat.jpg?1", false),
            ("local:///a b.jpg", "local:///a%20b.jpg", false), ("s3://photos/a", "s3://photos/b", false),
        ] as [(ByteString, ByteString, Bool)])
    func `sources that one purge covers have one tag`(_ one: ByteString, _ other: ByteString, _ isEqual: Bool) throws {
        #expect(try (Self.tag(one) == Self.tag(other)) == isEqual)
    }

    @Test func `purges of a source name its tag, and others none`() throws {
        let record = PurgeRecord(Purge(try .source("http://example.com/%63at.jpg"), isHard: true, at: 0))
        #expect(record.tag == (try Self.tag("http://example.com/cat.jpg")).string)
        #expect(PurgeRecord(Purge(try .prefix("http://example.com/"), isHard: true, at: 0)).tag == nil)
        #expect(PurgeRecord(Purge(.all, isHard: true, at: 0)).tag == nil)
    }
}
