import Foundation

/// Objects for programs: one a line, keys in alphabetical order.
enum JSON {
    static func line(_ value: some Encodable) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Our records hold nothing that cannot be encoded; an empty object would still be a line.
        guard let data = try? encoder.encode(value) else { return "{}" }
        return String(decoding: data, as: UTF8.self)
    }
}
