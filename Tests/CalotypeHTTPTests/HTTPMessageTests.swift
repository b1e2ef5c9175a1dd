import CalotypeHTTP
import Foundation
import Requirements
import Testing

struct HTTPMessageTests {
    @Test func `fields compare without case, keep their order and their duplicates`() {
        var fields: HTTPFields = ["Vary": "Accept", "ETag": "\"1\"", "vary": "Cookie"]
        #expect(fields["VARY"] == "Accept, Cookie")
        #expect(fields.values(of: "vary") == ["Accept", "Cookie"])
        #expect(fields.map(\.name.string) == ["Vary", "ETag", "vary"])
        fields["Vary"] = nil
        #expect(fields.map(\.name) == ["ETag"])
    }

    @Test(
        .requirement("RFC 9110 §8.6"),
        arguments: [
            (["5"], 5), (["5", "5"], 5), (["5, 5"], 5), (["5", "6"], nil), (["-5"], nil), (["five"], nil), ([""], nil),
            (["99999999999999999999"], nil), ([], nil),
        ] as [([String], Int?)])
    func `a content length is one number or none`(_ lines: [String], _ expected: Int?) {
        var fields = HTTPFields()
        for line in lines { fields.append(ByteString(line), to: "Content-Length") }
        let response = HTTPResponse(url: URL(filePath: "/"), status: 200, fields: fields)
        #expect(response.contentLength == expected)
    }

    @Test func `an origin is scheme, host and port, whatever their spelling`() throws {
        let plain = try HTTPOrigin(#require(URL(string: "http://example.org/a")))
        #expect(try plain == HTTPOrigin(#require(URL(string: "HTTP://EXAMPLE.org:80/b?c"))))
        #expect(try plain != HTTPOrigin(#require(URL(string: "https://example.org/a"))))
        #expect(try plain != HTTPOrigin(#require(URL(string: "http://example.org:8080/a"))))
        #expect(try plain != HTTPOrigin(#require(URL(string: "http://www.example.org/a"))))
    }

    @Test(arguments: [
        ("ftp://example.org/a", TransportError.Code.unsupportedScheme), ("http:///a", .malformedURL),
        ("//example.org/a", .malformedURL), ("photo.jpg", .malformedURL), ("http://example.org:0/", .malformedURL),
    ])
    func `a URL that names no HTTP origin says why`(_ url: String, _ code: TransportError.Code) throws {
        let url = try #require(URL(string: url))
        let error = #expect(throws: TransportError.self) { try HTTPOrigin(url) }
        #expect(error?.code == code)
    }

    @Test func `collecting a body stops at the limit`() async throws {
        let body = HTTPBody(Data(count: 100))
        #expect(try await body.collect(limit: 100).count == 100)
        let error = await #expect(throws: TransportError.self) { try await body.collect(limit: 99) }
        #expect(error?.code == .bodyTooLarge)
    }
}
