import CalotypeBase
import CalotypeHTTPCache
import Testing

@testable import CalotypeServer
@testable import CalotypeURLs

/// The sources that a purge covers.
struct PurgeTargetTests {
    /// Whether a purge covers the result of a source, and the source itself in the cache of sources.
    private func covers(_ target: PurgeTarget, _ source: ByteString) throws -> Bool {
        let list = PurgeList()
        list.set([Purge(target, isHard: true, at: 0)])
        let request = try RenditionRequest(path: "/rs:fill:30:40/cb:a/plain/\(source.escapedInPath)@webp")
        let result = list.moments(of: "key \(request.resultKey(mark: nil))") != .none
        let marked = list.moments(of: "key \(request.resultKey(mark: "0123"))") != .none
        #expect(result == marked)
        if !request.isLocal { #expect(result == (list.moments(of: request.source) != .none), "\(source)") }
        return result
    }

    private static let sources: [(purged: ByteString, source: ByteString, isCovered: Bool)] = [
        ("https://example.com/a/cat.jpg", "https://example.com/a/cat.jpg", true),
        ("https://example.com/a/cat.jpg", "https://EXAMPLE.com:443/a/cat.jpg", true),
        ("https://example.com/a/cat.jpg", "https://example.com./a/cat.jpg", true),
        ("https://example.com./a/cat.jpg", "https://example.com/a/cat.jpg", true),
        ("https://example.com/a/cat.jpg", "https://example.com/a/%63at.jpg", true),
        ("https://example.com/a/%63at.jpg", "https://example.com/a/cat.jpg", true),
        ("https://example.com/a b", "https://example.com/a%20b", true),
        ("https://example.com/a%2Fb", "https://example.com/a/b", false),
        ("https://example.com/a/cat.jpg", "https://example.com/a/cat.jpg?v=1", false),
        ("https://example.com/a/cat.jpg?v=1", "https://example.com/a/cat.jpg?v=1", true),
        ("https://example.com/a/cat.jpg", "http://example.com/a/cat.jpg", false),
        ("https://example.com/a/cat.jpg", "https://example.com:8443/a/cat.jpg", false),
        ("https://example.com/a/cat.jpg", "https://example.com/a/cat.jpg/x", false),
        ("https://example.com/a/cat.jpg", "https://example.com/a/CAT.jpg", false),
        ("local:///a/cat.jpg", "local:///a/cat.jpg", true),
        ("local:///a//./cat.jpg", "local:///a/cat.jpg", true),
        ("local:///a/%63at.jpg", "local:///a/cat.jpg", false),
        ("local:///a/100%.jpg", "local:///a/100%.jpg", true),
        ("local:///cat.jpg", "https://example.com/cat.jpg", false),
    ]

    @Test(arguments: sources)
    func `a purge of a source covers its spellings alone`(
        purged: ByteString, source: ByteString, isCovered: Bool
    ) throws {
        #expect(try covers(.source(purged), source) == isCovered, "\(purged) \(source)")
        #expect(try covers(.all, source))
    }

    private static let prefixes: [(purged: ByteString, source: ByteString, isCovered: Bool)] = [
        ("https://example.com", "https://example.com/a/cat.jpg", true),
        ("https://example.com/", "https://example.com/", true),
        ("https://example.com/a", "https://example.com/a/cat.jpg", true),
        ("https://example.com/a/", "https://example.com/a/cat.jpg", true),
        ("https://example.com/%61", "https://example.com/a/cat.jpg", true),
        ("https://example.com./a", "https://example.com/a/cat.jpg", true),
        ("https://example.com/a", "https://example.com./a/cat.jpg", true),
        ("https://*.example.com/a", "https://www.example.com./a/cat.jpg", true),
        ("https://example.com/a", "https://example.com/a", true),
        ("https://example.com/a", "https://example.com/a?v=1", true),
        ("https://example.com/a", "https://example.com/ab/cat.jpg", false),
        ("https://example.com/a", "https://example.com.evil.test/a/cat.jpg", false),
        ("https://example.com/a", "https://www.example.com/a/cat.jpg", false),
        ("https://*.example.com/a", "https://www.example.com/a/cat.jpg", true),
        ("https://*.example.com/a", "https://x.www.example.com/a/cat.jpg", true),
        ("https://*.example.com/a", "https://example.com/a/cat.jpg", false),
        ("https://*/a", "https://example.com/a/cat.jpg", true),
        ("https://*/a", "http://example.com/a/cat.jpg", false),
        ("https://*:8443", "https://example.com:8443/b", true),
        ("local:///", "local:///a/cat.jpg", true),
        ("local:///a", "local:///a/cat.jpg", true),
        ("local:///a/", "local:///a/cat.jpg", true),
        ("local:///a", "local:///ab/cat.jpg", false),
        ("local:///", "https://example.com/cat.jpg", false),
    ]

    @Test(arguments: prefixes)
    func `a prefix covers whole segments of paths, and any query`(
        purged: ByteString, source: ByteString, isCovered: Bool
    ) throws {
        #expect(try covers(.prefix(purged), source) == isCovered, "\(purged) \(source)")
    }

    @Test func `a purge of a fallback image covers the results that may show it`() throws {
        let fallback = ByteString(base64: "https://example.com/none.jpg".utf8)
        let request = try RenditionRequest(path: "/w:10/fiu:\(fallback)/plain/local:///cat.jpg")
        let list = PurgeList()
        list.set([Purge(try .source("https://example.com/none.jpg"), isHard: true, at: 0)])
        #expect(list.moments(of: "key \(request.resultKey(mark: nil))") != .none)
    }

    @Test func `every purge covers a key that cannot be read`() throws {
        let list = PurgeList()
        #expect(list.moments(of: "key v1/plain") == .none)
        list.set([Purge(try .source("local:///cat.jpg"), isHard: true, at: 7)])
        for key: ByteString in ["key v1", "key v1/plain/%zz", "no URL", "key v1/w:1"] {
            #expect(list.moments(of: key).absent == 8, "\(key)")
        }
    }

    @Test(
        arguments: [
            "", "cat.jpg", "ftp://example.com/a", "https://", "https://user@example.com/", "https://example.com/a/../b",
            "local://cat.jpg", "local:///../cat.jpg", "https://[::1]/", "https://example.com:0/", "*",
        ] as [ByteString])
    func `a text that is the URL of no source is a 400`(text: ByteString) {
        #expect { _ = try PurgeTarget.source(text) } throws: { ($0 as? RenditionError)?.status == 400 }
        #expect { _ = try PurgeTarget.prefix(text) } throws: { ($0 as? RenditionError)?.status == 400 }
    }

    @Test func `a prefix has no query, and a single source no pattern`() {
        #expect(throws: RenditionError.self) { _ = try PurgeTarget.prefix("https://example.com/a?b") }
        #expect(throws: RenditionError.self) { _ = try PurgeTarget.source("https://*.example.com/a") }
        #expect(throws: RenditionError.self) {
            _ = try PurgeTarget.source(ByteString("https://example.com/" + String(repeating: "a", count: 8192)))
        }
    }

    // A lookup through a list would take a second for each thousand keys.
    @Test func `10,000 purges are judged as one is`() throws {
        let list = PurgeList()
        for number in 0..<5_000 {
            let source = try PurgeTarget.source("https://example.com/\(2 * number)/cat.jpg")
            let prefix = try PurgeTarget.prefix("https://example.com/\(2 * number + 1)")
            list.set([
                Purge(source, isHard: true, at: Double(2 * number)),
                Purge(prefix, isHard: false, at: Double(2 * number + 1)),
            ])
        }
        for number in 0..<10_000 {
            let moments = list.moments(of: "https://example.com/\(number)/cat.jpg")
            #expect(max(moments.stale, moments.absent) == Double(number) + 1)
        }
        #expect(list.moments(of: "https://example.com/cat.jpg") == .none)
    }
}
