import CalotypeBase
import CalotypeCodecs

/// Writes an object of JSON on one line, with its members in the order in which they are added.
struct FactsWriter {
    private(set) var bytes = Array("{".utf8)
    private var isEmpty = true

    /// Adds a name, behind which the caller adds the value.
    private mutating func add(name: String) {
        if !isEmpty { bytes.add(",") }
        isEmpty = false
        bytes.add("\"", name)
        bytes.add(":")
    }

    mutating func add(_ name: String, _ number: Int?) {
        add(name: name)
        guard let number else { return bytes.add("null") }
        bytes.add(number)
    }

    /// Adds a number, in the shortest text that reads as the same number; `null` if JSON cannot represent it.
    mutating func add(_ name: String, _ number: Double) {
        add(name: name)
        let text = ByteString(number.isFinite ? number.description : "null")
        bytes += text.hasSuffix(".0") ? text.bytes.dropLast(2) : text.bytes[...]
    }

    mutating func add(_ name: String, _ flag: Bool) {
        add(name: name)
        bytes.add(flag ? "true" : "false")
    }

    mutating func add(_ name: String, _ text: String?) {
        add(name: name)
        guard let text else { return bytes.add("null") }
        bytes.add("\"", text)
    }

    mutating func add(_ name: String, _ texts: [String]) {
        add(name: name)
        bytes.add("[")
        for (index, text) in texts.enumerated() { bytes.add(index == 0 ? "\"" : ",\"", text) }
        bytes.add("]")
    }

    /// Adds an object, to which `body` adds the members; `null` without `body`.
    mutating func add(_ name: String, _ body: ((inout FactsWriter) -> Void)?) {
        add(name: name)
        guard let body else { return bytes.add("null") }
        bytes += Self.object(body)
    }

    mutating func add(_ name: String, _ color: ImageColor) {
        add(name: name)
        bytes += Self.object(color)
    }

    mutating func add(_ name: String, _ colors: [ImageColor]) {
        add(name: name)
        bytes.add("[")
        for (index, color) in colors.enumerated() {
            if index > 0 { bytes.add(",") }
            bytes += Self.object(color)
        }
        bytes.add("]")
    }

    private static func object(_ color: ImageColor) -> [UInt8] {
        object { $0.add(channelsOf: color, hasAlpha: true) }
    }

    /// Adds the channels of a color, by imgproxy's names.
    mutating func add(channelsOf color: ImageColor, hasAlpha: Bool) {
        add("R", Int(color.red))
        add("G", Int(color.green))
        add("B", Int(color.blue))
        if hasAlpha { add("A", Int(color.alpha)) }
    }

    private static func object(_ body: (inout FactsWriter) -> Void) -> [UInt8] {
        var writer = FactsWriter()
        body(&writer)
        return writer.finished()
    }

    consuming func finished() -> [UInt8] {
        bytes.add("}")
        return bytes
    }
}
