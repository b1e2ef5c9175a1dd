import CalotypeFuzzSupport
import CalotypeHTTP
import Foundation

@testable import CalotypeTransport

@_cdecl("LLVMFuzzerInitialize")
public func initialize(_ count: UnsafeMutableRawPointer?, _ arguments: UnsafeMutableRawPointer?) -> Int32 {
    Seeds.writeIfAsked {
        [
            "HTTP/1.1 200 OK\r\nContent-Length: 5, 5\r\nDate: Sun, 06 Nov 1994 08:49:37 GMT\r\n\r\n",
            "HTTP/1.1 103 Early\r\nLink: <a>\r\n\r\nHTTP/2 301\r\nLocation: /a\r\n b\r\nExpires: 0\r\n\r\n",
            "HTTP/1.0 503 -\nRetry-After: Sunday, 06-Nov-94 08:49:37 GMT\nDate: Sun Nov  6 08:49:37 1994\n\n",
        ].map { Data($0.utf8) }
    }
}

/// Parses a response's head line by line, as curl delivers it, and then the dates and the length in its fields.
@_cdecl("LLVMFuzzerTestOneInput")
public func test(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    var parser = ResponseHeadParser(limit: 4096)
    let data = input(bytes, count)
    do {
        for line in data.split(separator: 0x0A, omittingEmptySubsequences: false) {
            _ = try (Array(line) + [0x0A]).withUnsafeBytes { try parser.take($0) }
        }
    } catch {
        return 0
    }
    guard let head = parser.head, let url = URL(string: "http://localhost/") else { return 0 }
    _ = HTTPResponse(url: url, status: head.status, fields: head.fields).contentLength
    for field in head.fields {
        guard let date = HTTPDate.parse(field.value, now: 1_700_000_000) else { continue }
        require(
            HTTPDate.parse(HTTPDate.format(date), now: 1_700_000_000) == date,
            "a date changes when it is written and read: \(field.value)")
    }
    return 0
}
