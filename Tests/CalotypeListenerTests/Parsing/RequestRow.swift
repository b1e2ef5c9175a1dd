import Testing

@testable import CalotypeListener

/// Bytes that a client may send, and the one correct response to them.
struct RequestRow: Sendable, CustomTestStringConvertible {
    var testDescription: String
    let bytes: [UInt8]
    var requests: [String] = []
    var refused: Int?
    var isUnfinished = false
    /// The fields of the last head; `nil` if they do not matter.
    var fields: [String]?
    var limits = RequestLimits()

    /// - Parameter text: each character stands for the byte with its number.
    private init(_ description: String, _ text: String) {
        testDescription = description
        bytes = text.unicodeScalars.map { UInt8($0.value) }
    }

    static func taken(
        _ description: String, _ text: String, _ requests: String..., fields: [String]? = nil,
        limits: RequestLimits = RequestLimits()
    ) -> RequestRow {
        var row = RequestRow(description, text)
        (row.requests, row.fields, row.limits) = (requests, fields, limits)
        return row
    }

    /// - Parameter requests: the requests before the refused one.
    static func refused(
        _ description: String, _ text: String, _ status: Int = 400, after requests: String...,
        limits: RequestLimits = RequestLimits()
    ) -> RequestRow {
        var row = RequestRow(description, text)
        (row.requests, row.refused, row.limits) = (requests, status, limits)
        return row
    }

    static func unfinished(
        _ description: String, _ text: String, after requests: String..., limits: RequestLimits = RequestLimits()
    ) -> RequestRow {
        var row = RequestRow(description, text)
        (row.requests, row.isUnfinished, row.limits) = (requests, true, limits)
        return row
    }

    /// Returns one row for each byte, inserted in place of "¤".
    static func eachRefused(
        _ description: String, _ text: String, _ bytes: some Sequence<UInt8>, _ status: Int = 400
    ) -> [RequestRow] {
        bytes.map { byte in
            let (name, scalar) = (String(byte, radix: 16), String(Character(Unicode.Scalar(byte))))
            var filled = String.UnicodeScalarView()
            for character in text.unicodeScalars {
                if character == "¤" { filled += scalar.unicodeScalars } else { filled.append(character) }
            }
            return refused("\(description): 0x\(name)", String(filled), status)
        }
    }

    static let controls: [UInt8] = Array(0x00...0x1F) + [0x7F]
    /// The delimiters of RFC 9110 §5.6.2, with the space.
    static let delimiters = Array(#" "(),/:;<=>?@[\]{}"#.utf8)
    static let get = "GET / HTTP/1.1\r\nHost: a\r\n"
    static let post = "POST / HTTP/1.1\r\nHost: a\r\n"
    static let chunked = post + "Transfer-Encoding: chunked\r\n\r\n"
}
