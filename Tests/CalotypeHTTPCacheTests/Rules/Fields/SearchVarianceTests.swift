import CalotypeBase
import CalotypeHTTP
import Requirements
import Testing

@testable import CalotypeHTTPCache

/// No-Vary-Search (draft-ietf-httpbis-no-vary-search): reading the field, and comparing queries.
struct SearchVarianceTests {
    private static func variance(_ text: String) -> SearchVariance? {
        SearchVariance(["No-Vary-Search": ByteString(text)])
    }

    static let fields: [(String, SearchVariance.Parameters?, Bool)] = [
        ("key-order", .allBut([]), true), ("key-order=?1", .allBut([]), true),
        ("params=(\"a\" \"b\")", .allBut(["a", "b"]), false), ("params=(\"a\"), key-order", .allBut(["a"]), true),
        ("except=(\"x\")", .only(["x"]), false), ("except=()", .only([]), false),
        ("key-order, except=(\"x\" \"y\")", .only(["x", "y"]), true),
        ("params=(), key-order", .allBut([]), true), ("params=(\"a\"), other=1", .allBut(["a"]), false),
        ("params=(\"%C3%A9+%E6%B0%97\")", .allBut(["é 気"]), false), ("params=(\"a\");q=1", .allBut(["a"]), false),
        ("params=(\"a\"), params=(\"b\")", .allBut(["b"]), false),
        // As Chrome has it.
        ("params", .only([]), false), ("params, except=(\"x\")", .only(["x"]), false),
        ("key-order, params, except=(\"x\")", .only(["x"]), true),
    ]

    @Test(arguments: fields) func `a field names the parameters that count, and whether their order does`(
        _ text: String, _ parameters: SearchVariance.Parameters?, ignoresOrder: Bool
    ) {
        let variance = Self.variance(text)
        #expect(variance?.parameters == parameters && variance?.ignoresOrder == ignoresOrder)
    }

    @Test(arguments: [
        "", "key-order=?0", "params=()", "params=(), key-order=?0", "unknown-key", "key-order=\"yes\"", "key-order=1",
        "params=\"a\"", "params=a", "params=(a)", "params=(\"a\" 1)", "params=?0", "params=?0, except=(\"x\")",
        "params=?0, key-order", "params=(\"a\"), except=(\"x\")", "params=(), except=()", "params, except=(x)",
        "params, except=\"x\"", "params, except=?1", "except", "except=?1", "except=\"x\"", "params=(\"a\"", "PARAMS",
        "params=(\"a\"),", "key-order key-order", "params=(\"\u{E9}\")", "params=(\"a\")\nx",
    ]) func `a field that is malformed or names no difference is ignored`(_ text: String) {
        #expect(Self.variance(text) == nil)
    }

    @Test func `a field that is cut short anywhere is ignored, or a shorter list of members`() {
        let text = "key-order, params=(\"utm_source\" \"%C3%A9\");a=1;b=\"c\", except=()"
        for count in 0..<text.utf8.count {
            let found = Self.variance(String(text.prefix(count)))
            #expect(found == nil || found?.ignoresOrder == true, "\(count)")
        }
        #expect(Self.variance("params=(\"a\"") == nil)
    }

    @Test(arguments: [(8 << 10, true), (8 << 10 + 1, false), (64 << 10, false)])
    func `a field of more than 8 KiB is ignored`(_ length: Int, isRead: Bool) {
        let name = String(repeating: "x", count: length - "params=(\"\")".utf8.count)
        #expect((Self.variance("params=(\"\(name)\")") != nil) == isRead)
    }

    @Test(arguments: [(256, true), (257, false)])
    func `a field with more than 256 names is ignored`(_ count: Int, isRead: Bool) {
        for key in ["params", "except"] {
            let names = (0..<count).map { "\"\($0)\"" }.joined(separator: " ")
            #expect((Self.variance("\(key)=(\(names))") != nil) == isRead)
        }
    }

    static let queries: [(field: String, String, String, isSame: Bool)] = [
        ("params=(\"utm\")", "a=1", "a=1&utm=2", true), ("params=(\"utm\")", "utm=1&a=1", "a=1&utm=2&utm=3", true),
        ("params=(\"utm\")", "a=1", "a=2&utm=2", false), ("params=(\"utm\")", "a=1&b=2", "b=2&a=1", false),
        ("params=(\"utm\")", "", "utm", true), ("params=(\"utm\")", "a=1", "a=1&UTM=2", false),
        ("params=(\"utm\")", "a=1", "a=1&ut%6D=2", true), ("params=(\"utm\")", "a=1", "a=1&utm_source=2", false),
        ("key-order", "a=1&b=2", "b=2&a=1", true), ("key-order", "a=1&a=2", "a=2&a=1", false),
        ("key-order", "a=1&b=2&a=3", "a=1&a=3&b=2", true), ("key-order", "a=1", "a=1&b", false),
        ("except=(\"id\")", "id=1&x=2", "y&id=1", true), ("except=(\"id\")", "id=1", "id=2", false),
        ("except=(\"id\")", "id=1&id=2", "id=2&id=1", false), ("except=()", "", "a=1&b=2", true),
        ("except=(\"é 気\")", "%C3%A9+%E6%B0%97=1", "%C3%A9%20%E6%B0%97=1&x", true),
        // As in the table of the draft.
        ("key-order", "a=x", "%61=%78", true), ("key-order", "a=%f6", "a=%ef%bf%bd", true),
        ("key-order", "a=x&&&&", "a=x", true), ("key-order", "a=", "a", true), ("key-order", "a=%20", "a=+", true),
        ("key-order", "a=%2", "a=%252", true), ("key-order", "a=%2g", "a=%zz", false),
        ("key-order", "a=1&b=2", "a=1%26b=2", false), ("key-order", "a=b=c", "a=b%3Dc", true),
        ("key-order", "a%3Db=c", "a=b=c", false),
    ]

    @Test(arguments: queries) func `queries are the same if they differ in what the field names`(
        _ row: (field: String, String, String, isSame: Bool)
    ) throws {
        // A structured field is ASCII.
        let field = row.field.replacing("é 気", with: "%C3%A9+%E6%B0%97")
        let variance = try #require(Self.variance(field))
        let texts = [row.1, row.2].map { variance.canonical(ByteString($0)) }
        #expect((texts[0] == texts[1]) == row.isSame, "\(texts)")
    }

    @Test(arguments: ["key-order", "except=(\"a9999\")", "params=(\"a1\")"])
    func `10,000 parameters cost a few looks at their bytes`(_ field: String) async throws {
        let query = ByteString((0..<10_000).map { "a\($0)=%41+b" }.joined(separator: "&"))
        let variance = try #require(Self.variance(field))
        let cost = await TextCosts.count { _ = variance.canonical(query) }
        #expect(cost < 100 * query.count, "\(cost / query.count) times")
    }
}
