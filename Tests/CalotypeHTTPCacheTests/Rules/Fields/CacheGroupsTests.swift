import CalotypeBase
import CalotypeHTTP
import Requirements
import Testing

@testable import CalotypeHTTPCache

/// RFC 9875: the fields, and the times of invalidations.
struct CacheGroupsTests {
    private static func groups(_ lines: ByteString...) -> CacheGroups? {
        var fields = HTTPFields()
        for line in lines { fields.append(line, to: "Cache-Groups") }
        return CacheGroups(fields, "Cache-Groups")
    }

    @Test(.requirement("RFC 9875 §2")) func `a list of strings names the groups, in any order, over several lines`() {
        #expect(Self.groups("\"a\", \"b\"") == .named(["b", "a"]))
        #expect(Self.groups("\"a\"", "\"b\",\"a\"") == .named(["a", "b"]))
        #expect(Self.groups("\"a\";revalidate;x=1") == .named(["a"]))
        #expect(Self.groups("\"a \\\"b\\\\\"") == .named(["a \"b\\"]))
        #expect(Self.groups("\"\"") == .named([""]))
        #expect(Self.groups("\"A\"") != Self.groups("\"a\""))
    }

    @Test(
        .requirement("RFC 9875 §2"),
        arguments: [
            "", " ", "a", "\"a\", b", "\"a\" \"b\"", "\"a", "\"a\",", "(\"a\")", "1", "?1", "\"\u{E9}\"", ":YQ==:",
        ])
    func `a field that is no list of strings is ignored`(_ text: String) {
        #expect(Self.groups(ByteString(text)) == nil)
    }

    @Test func `a field that is cut short anywhere is ignored, or names fewer groups`() {
        let text = "\"one\";a=\"x\", \"two\", \"three\""
        for count in 0..<text.utf8.count {
            guard case .named(let names) = Self.groups(ByteString(String(text.prefix(count)))) else { continue }
            #expect(names.isSubset(of: ["one", "two", "three"]), "\(count)")
        }
    }

    // RFC 9875 §2 demands 32 groups of 32 characters.
    @Test(
        .requirement("RFC 9875 §2"),
        arguments: [(127, 128), (128, 128), (129, 1), (1, 129), (100_000, 1), (1, 64 << 10)])
    func `more groups, or longer ones, than can be told apart are all groups`(_ count: Int, _ length: Int) {
        let names = (0..<count).map { number in
            "\"\(number)\(String(repeating: "x", count: max(0, length - "\(number)".count)))\""
        }
        let groups = Self.groups(ByteString(names.joined(separator: ", ")))
        if count <= 128, length <= 128 {
            guard case .named(let names) = groups else {
                Issue.record("all groups")
                return
            }
            #expect(names.count == count)
        } else {
            #expect(groups == .all)
        }
    }

    @Test func `100,000 groups cost a few looks at their bytes`() async {
        let text = ByteString((0..<100_000).map { "\"\($0)\"" }.joined(separator: ", "))
        let cost = await TextCosts.count { _ = Self.groups(text) }
        #expect(cost < 100 * text.count, "\(cost / text.count) times")
    }

    @Test(
        arguments: [
            ("http://a/b?c", "http://a"), ("https://a:8443/", "https://a:8443"), ("http://me:pw@a/b", "http://a"),
            ("http://a", "http://a"), ("http://a?b", "http://a"), ("x", "x"), ("", ""), ("http:", "http:"),
            ("http://a/http://b", "http://a"), ("http://a/@b", "http://a"),
        ] as [(ByteString, ByteString)]) func `the origin of a URL has no user and no path`(
            _ url: ByteString, _ origin: ByteString
        )
    {
        #expect(url.originOfURL == origin)
    }

    // MARK: Times

    @Test func `an invalidation judges responses with one of its groups, of its origin, that were requested before`() {
        let times = GroupInvalidations()
        #expect(times.moments(of: .named(["a"]), of: "http://o") == .none)
        times.note(.named(["a", "b"]), of: "http://o", at: 10)
        times.note(.named(["b"]), of: "http://o", at: 20)
        #expect(times.generation == 2)
        func time(_ groups: CacheGroups, _ origin: ByteString = "http://o") -> PurgeMoments {
            times.moments(of: groups, of: origin)
        }
        #expect(time(.named(["a"])) == PurgeMoments(absent: 10))
        #expect(time(.named(["a", "b"])) == PurgeMoments(absent: 20) && time(.all) == PurgeMoments(absent: 20))
        #expect(time(.named(["c"])) == .none && time(.named([])) == .none)
        #expect(time(.named(["a"]), "http://p") == .none && time(.all, "http://p") == .none)
        times.note(.all, of: "http://o", at: 30)
        #expect(time(.named(["c"])) == PurgeMoments(absent: 30))
        // A clock that was set back shortens no invalidation.
        times.note(.named(["c"]), of: "http://o", at: 5)
        #expect(time(.named(["c"])) == PurgeMoments(absent: 30))
    }

    @Test func `too many groups of an origin become all of its groups, and no other's`() {
        let times = GroupInvalidations()
        times.note(.named(["a"]), of: "http://small", at: 1)
        for number in 0...GroupInvalidations.limit {
            times.note(.named(["\(number)"]), of: "http://large", at: Double(number))
        }
        let latest = Double(GroupInvalidations.limit)
        #expect(times.moments(of: .named(["0"]), of: "http://large").absent >= latest - 2)
        #expect(times.moments(of: .named(["new"]), of: "http://large").absent >= latest - 2)
        #expect(times.moments(of: .named(["a"]), of: "http://small") == PurgeMoments(absent: 1))
        #expect(times.moments(of: .named(["b"]), of: "http://small") == .none)
    }

    @Test func `an origin that is forgotten takes no other's later responses along`() {
        let times = GroupInvalidations()
        for number in 0...GroupInvalidations.originLimit {
            times.note(.named(["a"]), of: "http://\(number)", at: Double(number))
        }
        #expect(times.moments(of: .named(["a"]), of: "http://0").absent == 0)
        #expect(times.moments(of: .named(["b"]), of: "http://other").absent == 0)
        #expect(times.moments(of: .named(["a"]), of: "http://5").absent == 5)
    }
}
