import CalotypeHTTP
import Requirements
import Testing

@testable import CalotypeHTTPCache

/// The small parsers of field values.
struct FieldTests {
    static let tags: [(ByteString, ByteString, isWeak: Bool)] = [
        ("\"a\"", "a", false), ("W/\"a\"", "a", true), ("\"\"", "", false), (" \"a\" ", "a", false),
        ("\"a,b\"", "a,b", false),
        ("a", "a", true), ("w/\"a\"", "w/\"a\"", true), ("\"a", "\"a", true), ("\"", "\"", true), ("W/", "W/", true),
        ("\"a\"b\"", "\"a\"b\"", true), ("\"a b\"", "\"a b\"", true), ("'a'", "'a'", true), ("W/a", "W/a", true),
    ]

    @Test(.requirement("RFC 9110 §8.8.3"), arguments: tags)
    func `a tag that breaks the grammar is taken as it is, and weak`(
        _ text: ByteString, _ opaque: ByteString, isWeak: Bool
    ) throws {
        let tag = try #require(EntityTag(text))
        #expect(tag.opaque == opaque && tag.isWeak == isWeak)
    }

    static let comparisons: [(ByteString, ByteString, strong: Bool, weak: Bool)] = [
        ("W/\"1\"", "W/\"1\"", false, true), ("W/\"1\"", "W/\"2\"", false, false), ("W/\"1\"", "\"1\"", false, true),
        ("\"1\"", "\"1\"", true, true), ("\"1\"", "1", false, true), ("\"1\"", "\"2\"", false, false),
    ]

    @Test(.requirement("RFC 9110 §8.8.3.2"), arguments: comparisons)
    func `strong and weak comparison`(
        _ left: ByteString, _ right: ByteString, strong: Bool, weak: Bool
    )
        throws
    {
        let (left, right) = (try #require(EntityTag(left)), try #require(EntityTag(right)))
        #expect(left.matchesStrongly(right) == strong && right.matchesStrongly(left) == strong)
        #expect(left.matchesWeakly(right) == weak && right.matchesWeakly(left) == weak)
    }

    @Test func `an empty tag is none`() {
        #expect(EntityTag("") == nil && EntityTag("  ") == nil)
        #expect(EntityTagList("*") == .any && EntityTagList("") == .tags([]))
    }

    @Test(
        .requirement("RFC 9110 §5.6.1"),
        arguments: [
            ("a,b", ["a", "b"]), (" a , b ", ["a", "b"]), (",,a,,", ["a"]), ("\"a,b\",c", ["\"a,b\"", "c"]),
            ("\"a\\\",b\",c", ["\"a\\\",b\"", "c"]), ("\"a,b", ["\"a,b"]), ("", []), ("\t", []),
        ] as [(ByteString, [ByteString])])
    func `lists`(_ text: ByteString, _ members: [ByteString]) {
        #expect(FieldList.members(text) == members)
    }

    @Test(
        .requirement("RFC 9110 §12.4.2"),
        arguments: [
            ("0", 0), ("1", 1000), ("0.5", 500), ("0.123", 123), ("1.000", 1000), ("0.", 0), ("1.", 1000),
        ])
    func `weights`(_ text: String, _ thousandths: Int) {
        #expect(QualityValue.parse(text.utf8) == thousandths)
    }

    @Test(.requirement("RFC 9110 §12.4.2"), arguments: ["", "2", "1.001", "0.1234", "-1", ".5", "0,5", "00", "0.a"])
    func `what is no weight`(_ text: String) {
        #expect(QualityValue.parse(text.utf8) == nil)
    }

    static let languages: [(ByteString, CaselessString, Bool)] = [
        ("de", "de", true), ("DE", "de", true), ("de;q=0.5, en;q=0.4", "de", true), ("de;q=0.5, en", "de", false),
        ("de;q=x, en;q=0.1", "en", true), ("de, en", "en", false), ("", "de", false), ("*", "de", false),
        ("de;q=0", "de", false),
        ("de;x=1", "de", false), ("de;q=1;x=2", "de", false), ("de-AT", "de", false),
    ]

    @Test(.requirement("RFC 9110 §12.5.4"), arguments: languages)
    func `what a client likes best`(
        _ text: ByteString, _ language: CaselessString, _ isPreferred: Bool
    ) {
        #expect(LanguageRanges(text).prefers(language) == isPreferred)
    }

    static let dictionaries: [(ByteString, [ByteString: StructuredField.Value]?)] = [
        ("", [:]), ("  ", [:]), ("a", ["a": .item(.boolean(true))]), ("a=1", ["a": .item(.integer(1))]),
        ("a=-1", ["a": .item(.integer(-1))]), ("a=1.5", ["a": .item(.decimal(1.5))]),
        ("a=\"b\\\"\"", ["a": .item(.string("b\""))]), ("a=b/c:d", ["a": .item(.token("b/c:d"))]),
        ("a=:aGk=:", ["a": .item(.bytes("aGk="))]), ("a=?0", ["a": .item(.boolean(false))]),
        ("a=(1 b \"c\");d=1", ["a": .innerList([.integer(1), .token("b"), .string("c")])]),
        ("a=( )", ["a": .innerList([])]),
        ("a;b;c=1, d\t,\te=2", ["a": .item(.boolean(true)), "d": .item(.boolean(true)), "e": .item(.integer(2))]),
        ("a=1, a=2", ["a": .item(.integer(2))]), ("*a_-.*1=2", ["*a_-.*1": .item(.integer(2))]),
        ("a,", nil), ("a,,b", nil), ("A=1", nil), ("a =1", nil), ("a= 1", nil), ("a=", nil), ("1a", nil), ("a b", nil),
        ("a=1.", nil), ("a=1.2345", nil), ("a=1234567890123.1", nil), ("a=1234567890123456", nil), ("a=-", nil),
        ("a=\"b", nil), ("a=\"b\\c\"", nil), ("a=\"ü\"", nil), ("a=?2", nil), ("a=:x", nil), ("a=(1", nil),
        ("a=(1b)", nil),
        ("a;B", nil), ("a;b=", nil), ("\ta", nil), ("&", nil),
    ]

    @Test(.requirement("RFC 8941 §3.2"), arguments: dictionaries)
    func `dictionaries, whole or not at all`(
        _ text: ByteString, _ expected: [ByteString: StructuredField.Value]?
    ) {
        #expect(StructuredField.dictionary(text) == expected)
    }
}
