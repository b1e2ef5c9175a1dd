import CalotypeBase
import Testing

struct ByteStringTests {
    /// Pairs that Unicode considers equal, and a server does not.
    static let twins: [(String, String)] = [
        ("K", "\u{212A}"), (";", "\u{37E}"), ("\u{E9}", "e\u{301}"), ("\u{C5}", "\u{212B}"), ("`", "\u{1FEF}"),
    ]

    @Test(arguments: twins)
    func `texts that Unicode calls equal are two`(_ left: String, _ right: String) {
        #expect(left == right)
        #expect(ByteString(left) != ByteString(right))
        #expect(Set([ByteString(left), ByteString(right)]).count == 2)
        #expect(CaselessString(left) != CaselessString(right))
        #expect(Set([CaselessString(left), CaselessString(right)]).count == 2)
        #expect(!ByteString("a" + left).hasPrefix(ByteString("a" + right)))
        #expect(!ByteString(left).contains(ByteString(right)))
        switch ByteString(left) {
        case ByteString(right): Issue.record("matched")
        default: break
        }
    }

    @Test(
        arguments: [
            [], [0x41], [0xC3, 0xA9], [0xE9], [0x22, 0xE9, 0x22], [0xC3], [0xFF, 0xFE], [0x41, 0x00, 0x80],
            Array(0...255), [0xED, 0xA0, 0x80], [0xC0, 0xAF],
        ] as [[UInt8]])
    func `bytes come back as they were given`(_ bytes: [UInt8]) {
        let text = ByteString(bytes: bytes)
        #expect(text.bytes == bytes)
        #expect(text.withBytes { Array($0) } == bytes)
        #expect(text.count == bytes.count)
        #expect(text.isEmpty == bytes.isEmpty)
        #expect(text == ByteString(bytes: bytes.lazy.map { $0 }))
    }

    @Test func `bytes that are not UTF-8 read as ISO 8859-1, and differ from the text that reads the same`() {
        let latin = ByteString(bytes: [0xE9])
        #expect(latin.string == "\u{E9}")
        #expect(latin != "\u{E9}")
        #expect(Set([latin, "\u{E9}"]).count == 2)
        #expect(CaselessString(latin) != "\u{E9}")
    }

    @Test func `halves that are not UTF-8 make a whole that is`() {
        var text = ByteString(bytes: [0xC3])
        text.append(ByteString(bytes: [0xA9]))
        #expect(text == "\u{E9}")
        #expect(ByteString("\u{E9}/").split(separator: 0x2F) == ["\u{E9}", ""])
        #expect(ByteString(bytes: [0xE9, 0x2C, 0x41]).split(separator: 0x2C).map(\.bytes) == [[0xE9], [0x41]])
        #expect([ByteString(bytes: [0xC3]), ByteString(bytes: [0xA9])].joined() == "\u{E9}")
    }

    @Test func `a text made of others has their bytes`() {
        let tag = ByteString(bytes: [0x22, 0xE9, 0x22])
        let text: ByteString = "W/\(tag), \(CaselessString(tag)); \(1)"
        #expect(text.bytes == Array("W/".utf8) + tag.bytes + Array(", ".utf8) + tag.bytes + Array("; 1".utf8))
        #expect(["a", "b", "c"].joined(separator: ", ") as ByteString == "a, b, c")
    }

    @Test(arguments: ["", "short", "http://photos.example/a-key-that-is-too-long-to-lie-in-two-words"])
    func `equal bytes are equal, in one place or in two`(_ text: String) {
        let one = ByteString(text)
        let other = ByteString(bytes: Array(text.utf8))
        #expect(one == one && one == other)
        #expect(one != ByteString(text + "a") && ByteString("b" + text) != ByteString("a" + text))
    }

    // Each appended part used to decode the whole text again.
    @Test(arguments: [[[0x61]], [[0xC3, 0xA9]], [[0xE9]], [[0x61], [0xE9]], [[0xC3], [0xA9]]] as [[[UInt8]]])
    func `a text made of many costs no more than their bytes`(_ parts: [[UInt8]]) async {
        let texts = (0..<2_000).flatMap { _ in parts.map { ByteString(bytes: $0) } }
        let all = texts.flatMap(\.bytes)
        var joined = ByteString()
        let costs = [
            await TextCosts.count { joined = texts.joined(separator: ", ") },
            await TextCosts.count { for text in texts { joined.append(text) } },
            await TextCosts.count { _ = joined.string },
        ]
        #expect(joined.count == 2 * all.count + 2 * (texts.count - 1) && joined.bytes.suffix(all.count) == all[...])
        #expect(costs[0] > 0)
        for cost in costs { #expect(cost <= 4 * joined.count) }
    }

    @Test func `the order is that of the bytes`() {
        let sorted: [ByteString] = ["", "A", "a", "aa", "b", "\u{E9}", ByteString(bytes: [0xE9])]
        #expect(sorted.shuffled().sorted() == sorted)
    }

    @Test(
        arguments: [
            ("", "", ""), (" a ", "a", " a "), ("\t a\t", "a", "\t a\t"), ("A\u{A0}", "A\u{A0}", "a\u{A0}"),
            ("\u{212A}", "\u{212A}", "\u{212A}"), ("\u{C9}T", "\u{C9}T", "\u{C9}t"),
        ] as [(ByteString, ByteString, ByteString)])
    func `only ASCII is trimmed and folded`(_ text: ByteString, _ trimmed: ByteString, _ lowercased: ByteString) {
        #expect(text.trimmed == trimmed)
        #expect(text.lowercasedASCII == lowercased)
    }

    @Test(
        arguments: [
            ("0", 0), ("0042", 42), ("", nil), ("-1", nil), ("+1", nil), (" 1", nil), ("1e3", nil), ("\u{661}", nil),
            ("99999999999999999999", nil),
        ] as [(ByteString, Int?)])
    func `a number is ASCII digits and nothing else`(_ text: ByteString, _ number: Int?) {
        #expect(text.asDigits == number)
    }

    @Test func `parts are found by their bytes`() {
        let text: ByteString = "one,two,,three"
        #expect(text.split(separator: 0x2C) == ["one", "two", "", "three"])
        #expect(text.split(separator: 0x2C, maxSplits: 1) == ["one", "two,,three"])
        #expect(text.hasPrefix("one") && !text.hasPrefix("One") && text.hasPrefix(""))
        #expect(text.hasSuffix("three") && !text.hasSuffix("one,two,,three,four") && text.hasSuffix(""))
        #expect(text.contains("two") && text.contains("") && !text.contains("twoo") && text.contains(0x2C))
        #expect(text.dropFirst(4) == "two,,three" && text.dropFirst(99) == "")
    }

    @Test func `caseless texts keep their spelling and compare without it`() {
        let name: CaselessString = "ETag"
        #expect(name == "etag" && name == "ETAG" && name != "etags" && name != "e-tag")
        #expect(name.string == "ETag" && "\(name)" == "ETag" && name.lowercased == "etag")
        #expect(Set<CaselessString>(["ETag", "etag", "ETAG"]).count == 1)
        #expect((["b", "A", "C"] as [CaselessString]).sorted() == ["a", "B", "c"])
        // "@" and "`" differ by the same bit as "A" and "a".
        #expect(CaselessString("@") != "`" && CaselessString("[") != "{")
    }
}
