import CalotypeBase
import Foundation
import Testing

@testable import CalotypeServer

/// The names of pages.
struct FarNameTests {
    private static let key: ByteString = "key v1.1/w:64/plain/https://example.com/a%2520b.jpg@png"

    private func name(
        _ key: ByteString = Self.key, _ change: (inout ServerSetup) throws -> Void = { _ in }
    ) throws -> FarName? {
        var options = ServerSetup(root: "/")
        try change(&options)
        return FarNames(options.options.making, allowed: { [allowed = options.allowed] in allowed }).name(of: key)
    }

    @Test func `a name has the digests of the source and of the key`() throws {
        let found = try name()
        let name = try #require(found)
        #expect(name.source == "https://example.com/a%20b.jpg")
        let parts = name.text.split(separator: UInt8(ascii: "/"))
        #expect(parts.count == 3 && parts[0] == "2" && parts[1].count == 64 && parts[2].count == 64)
        #expect(name.text.hasPrefix(FarName.folder(ofSource: "https://EXAMPLE.com:443/a%20b.jpg")))
    }

    @Test(arguments: [
        "key v1.1/w:64/plain/local:///a.jpg", "key v1.1/w:64/plain/local:///a.jpg@png", "https://example.com/a.jpg",
        "key v1.1/w:64", "key v1.1/w:64/plain/https://example.com/a\n", "",
    ])
    func `a result of a local source, and another entry, has no name`(key: String) throws {
        let found = try name(ByteString(key))
        #expect(found == nil)
    }

    @Test func `servers with other settings have other names`() throws {
        let names = try [
            name(), name { $0.maxResultSide = 100 }, name { $0.maxResultPixels = 1000 },
            name { $0.maxAnimationPixels = 1000 }, name { $0.encoders.avifSpeed = 3 }, name("\(Self.key)x"),
        ].compactMap(\.self)
        #expect(Set(names.map(\.text)).count == 6 && Set(names.map(\.key)).count == 6)
    }

    @Test func `buckets of one name in two places have other names`() throws {
        let key: ByteString = "key v1.1/w:64/plain/s3://photos/a.jpg"
        let places = try ["one", "two"].map { host in
            try name(key) { options in
                try options.allowed.objects.add(ByteString("photos endpoint=https://\(host).example.com"))
                try options.allowed.allow("s3://photos")
            }
        }
        #expect(places[0] != nil && places[1] != nil && places[0]?.text != places[1]?.text)
    }
}
