import CalotypeBase
import Foundation

/// The JSON encoding of objects for programs: one per line, with keys in alphabetical order.
enum JSON {
    static func line(_ value: some Encodable) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // The command's records always encode; an empty object would still be a line.
        guard let data = try? encoder.encode(value) else { return "{}" }
        return String(decoding: data, as: UTF8.self).escapedInJSON
    }
}

extension ByteString {
    /// The bytes for JSON, which writes them in Base64, if they are not UTF-8; otherwise `nil`: the text suffices.
    var bytesUnlessText: Data? { utf8Text == nil ? Data(bytes) : nil }

    /// Creates the string whose text, and bytes unless they are text, are in JSON.
    init(text: String, bytes: Data?) { self = bytes.map { ByteString(bytes: $0) } ?? ByteString(text) }
}

/// A number in JSON: `null` if it is infinite, which JSON cannot represent.
struct JSONNumber: Encodable, Hashable, Sendable {
    let value: Double

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if value.isFinite { try container.encode(value) } else { try container.encodeNil() }
    }
}

/// A result that is printed as a line of text, or as a JSON object.
protocol Record: Encodable {
    var text: OutputLine { get }
}

extension Console {
    func line(_ record: some Record, isJSON: Bool) {
        if isJSON { line(JSON.line(record)) } else { line(record.text) }
    }
}
