import CalotypeHTTP
import CalotypeTesting
import CalotypeTransport
import Foundation
import Testing

@Suite struct PrefixFieldsTests {
    private let fields: HTTPFields = ["Authorization": "Bearer 1"]

    @Test func `fields go to URLs with the prefix, and never with a redirect elsewhere`() async throws {
        let (origin, other) = (try OriginServer(), try OriginServer())
        origin.on("/private/a", .redirect(to: "/private/b"))
        origin.on("/private/b", .redirect(to: "/public"))
        origin.on("/public", .redirect(to: other.url("/private/c").absoluteString))
        other.on("/private/c", .ok(Data("end".utf8)))
        let prefix = try URLPrefix(origin.url("/private").absoluteString)
        let transport = CurlTransport().settingFields(by: { [(prefix: prefix, fields: fields)] }).followingRedirects()
        #expect(try await transport.body(origin.url("/private/a")) == Data("end".utf8))
        #expect(origin.requests.map { $0.fields["Authorization"] } == ["Bearer 1", "Bearer 1", nil])
        #expect(other.requests.map { $0.fields["Authorization"] } == [nil])
    }

    @Test(arguments: [
        ("http://a.test", "http://a.test/x", true), ("http://a.test/", "http://A.test:80/x/y", true),
        ("http://a.test/x", "http://a.test/x", true), ("http://a.test/x/", "http://a.test/x/y?z", true),
        ("http://a.test/x", "http://a.test/xy", false), ("http://a.test/x", "http://a.test/", false),
        ("http://a.test", "https://a.test/", false), ("http://a.test", "http://a.test:81/", false),
        ("http://a.test", "http://b.a.test/", false), ("http://a.test", "http://a.test.b/", false),
        ("http://a.test/x", "http://a.test/x/../y", false), ("http://a.test/x", "http://a.test/x/%2e%2E/y", false),
        ("http://a.test/x", "http://a.test/x/..%2fy", false), ("http://a.test/x", "http://a.test/x/..%5Cy", false),
        ("http://a.test", "http://u@a.test/", false), ("http://a.test", "http://u:p@a.test/", false),
        ("http://a.test", "file:///a", false),
    ])
    func `a prefix covers whole segments of one origin`(_ prefix: String, _ url: String, _ covers: Bool) throws {
        #expect(try URLPrefix(prefix).covers(#require(URL(string: url))) == covers)
    }

    @Test(arguments: [
        "", "a.test", "ftp://a.test", "http://", "http://u@a.test", "http://a.test/?q", "http://a.test/..",
    ])
    func `what is not the beginning of a URL is refused`(_ text: String) {
        #expect(throws: TransportError.self) { try URLPrefix(text) }
    }
}
