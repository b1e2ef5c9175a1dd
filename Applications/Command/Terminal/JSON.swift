import CalotypeBase
import Foundation

/// The JSON encoding of objects for programs: one per line, with keys in alphabetical order.
enum JSON {
    static func line(_ value: some Encodable) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // The command's records always encode; an empty object would still be a line.
        guard let data = try? encoder.encode(value) else { return "{}" }
        return String(decoding: data, as: UTF8.self)
    }

    /// Returns a line without control characters, for a terminal or a log: `Console.note` would change them.
    static func printableLine(_ value: some Encodable) -> String {
        line(value).unicodeScalars.reduce(into: "") { text, scalar in
            if Console.isControl(scalar) {
                text += String(format: "\\u%04x", scalar.value)
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
    }
}

extension ByteString {
    /// The bytes for JSON, which writes them in Base64, if they are not UTF-8; otherwise `nil`: the text suffices.
    var bytesUnlessText: Data? { utf8Text == nil ? Data(bytes) : nil }
}

/// A result that is printed as a line of text, or as a JSON object.
protocol Record: Encodable {
    var text: String { get }
}

extension Console {
    func line(_ record: some Record, isJSON: Bool) { line(isJSON ? JSON.line(record) : record.text) }
}
