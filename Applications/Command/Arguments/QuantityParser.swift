import CalotypeCodecs
import Foundation

enum QuantityParser {
    private static let sideRange = 1...65_535
    /// The unit and the limit of a size, for error messages.
    static let sizeRule = "in pixels (each side at most \(sideRange.upperBound))"

    /// Reads "400x300", "400" or "400x" (the width), or "x300" (the height).
    static func size(_ text: String) -> (width: Int?, height: Int?)? {
        let sides = text.lowercased().replacing("×", with: "x").split(separator: "x", omittingEmptySubsequences: false)
        guard sides.count <= 2 else { return nil }
        let numbers = sides.map { side in side.isEmpty ? nil : Int(side) }
        guard zip(sides, numbers).allSatisfy({ $0.isEmpty || sideRange.contains($1 ?? 0) }) else { return nil }
        let (width, height) = (numbers[0], numbers.count > 1 ? numbers[1] : nil)
        return width == nil && height == nil ? nil : (width, height)
    }

    /// Parses "400x300".
    static func wholeSize(_ text: String) -> PixelSize? {
        guard let sides = size(text), let width = sides.width, let height = sides.height else { return nil }
        return PixelSize(width: width, height: height)
    }

    /// Parses a number of bytes: "500", "64K" (a power of 1,000), "100MB", "2GiB" (a power of 1,024).
    static func bytes(_ text: String) -> Int? {
        let digits = text.prefix { $0.isNumber || $0 == "." }
        guard let number = Double(digits), number.isFinite else { return nil }
        var unit = text.dropFirst(digits.count).lowercased().filter { $0 != " " }
        if unit.hasSuffix("b") { unit.removeLast() }
        let factors: [String: Double] = [
            "": 1, "k": 1e3, "m": 1e6, "g": 1e9, "t": 1e12,
            "ki": 1024, "mi": 1_048_576, "gi": 1_073_741_824, "ti": 1_099_511_627_776,
        ]
        guard let factor = factors[unit], number * factor < 1e18 else { return nil }
        return Int(number * factor)
    }

    /// Parses a number of seconds greater than 0: "15", "0.5".
    static func seconds(_ text: String) -> Duration? {
        guard let number = Double(text), number > 0, number < 1e9 else { return nil }
        return .seconds(number)
    }

    /// Parses "Name: value" (RFC 9110 §5.1). The name must be a token; spaces and tabs around the value are removed.
    static func headerField(_ text: String) -> (name: String, value: String)? {
        guard let colon = text.firstIndex(of: ":") else { return nil }
        let name = text[..<colon]
        let isToken = name.utf8.allSatisfy { byte in
            (0x21...0x7E).contains(byte) && !"\"(),/:;<=>?@[\\]{}".utf8.contains(byte)
        }
        let value = text[text.index(after: colon)...].trimmingCharacters(in: CharacterSet(charactersIn: " \t"))
        let isOneLine = !value.utf8.contains { $0 == 10 || $0 == 13 || $0 == 0 }
        guard isToken, isOneLine, !name.isEmpty else { return nil }
        return (String(name), value)
    }
}
