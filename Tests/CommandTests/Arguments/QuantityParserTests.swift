import Testing

@testable import calotype_command

struct QuantityParserTests {
    @Test(
        arguments: [
            ("400x300", 400, 300), ("400X300", 400, 300), ("400×300", 400, 300), ("400", 400, nil), ("400x", 400, nil),
            ("x300", nil, 300),
        ] as [(String, Int?, Int?)])
    func `a size is two sides, or one`(_ text: String, _ width: Int?, _ height: Int?) throws {
        let size = try #require(QuantityParser.size(text))
        #expect(size.width == width)
        #expect(size.height == height)
    }

    @Test(arguments: ["", "x", "0", "-4", "4x0", "4x3x2", "wide", "4.5", "99999x1", "99999999999999999999", " 4"])
    func `anything else is no size`(_ text: String) {
        #expect(QuantityParser.size(text) == nil)
    }

    @Test(arguments: [
        ("500", 500), ("64K", 64_000), ("64k", 64_000), ("50MB", 50_000_000), ("1.5G", 1_500_000_000),
        ("1GiB", 1 << 30), ("64 KiB", 65_536), ("0", 0),
    ])
    func `bytes have units`(_ text: String, _ bytes: Int) {
        #expect(QuantityParser.bytes(text) == bytes)
    }

    @Test(arguments: ["", "MB", "-1", "1 apple", "1e99T", "."])
    func `anything else is no amount of bytes`(_ text: String) {
        #expect(QuantityParser.bytes(text) == nil)
    }

    @Test(arguments: ["", "0", "-1", "soon", "nan", "inf", "1e10"])
    func `a time limit is more than nothing and less than for ever`(_ text: String) {
        #expect(QuantityParser.seconds(text) == nil)
    }

    @Test func `a header field is a name and a value`() throws {
        let field = try #require(QuantityParser.headerField("Accept:  image/webp, */* \t"))
        #expect(field.name == "Accept")
        #expect(field.value == "image/webp, */*")
        #expect(QuantityParser.headerField("X-Empty:")?.value == "")
    }

    @Test(arguments: ["Accept", ": x", "Na me: x", "Näme: x", "Name: a\r\nEvil: b", "Name : x"])
    func `anything else is no header field`(_ text: String) {
        #expect(QuantityParser.headerField(text) == nil)
    }
}
