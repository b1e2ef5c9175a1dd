import CalotypeBase

/// The pattern of a run's file names: `{name}-{width}.{ext}`.
struct NameTemplate: Hashable, Sendable {
    enum Placeholder: String, CaseIterable, Sendable {
        /// The input's name without its extension.
        case name
        /// The size of the result in pixels.
        case width, height
        case ext
        /// The extension of the input's name in lower case, such as "heic"; empty if it has none.
        case sourceExt = "source-ext"
        /// The input's position in the run, from 1, with leading zeros.
        case number
    }

    private enum Part: Hashable, Sendable {
        case text(String)
        case placeholder(Placeholder)
    }

    let text: String
    private let parts: [Part]

    init(_ arguments: Arguments) throws(UsageError) {
        text = arguments[.template] ?? "{name}.{ext}"
        var parts: [Part] = []
        var rest = text[...]
        while let brace = rest.firstIndex(of: "{") {
            let word = rest[rest.index(after: brace)...].prefix { $0 != "}" }
            guard word.endIndex < rest.endIndex else { throw arguments.error(.template, "a closing brace is missing") }
            guard let placeholder = Placeholder(rawValue: String(word)) else {
                let known = Placeholder.allCases.map { "{\($0.rawValue)}" }.joined(separator: ", ")
                throw arguments.error(.template, "unknown placeholder {\(word)}; expected one of \(known)")
            }
            if brace > rest.startIndex { parts.append(.text(String(rest[..<brace]))) }
            parts.append(.placeholder(placeholder))
            rest = rest[rest.index(after: word.endIndex)...]
        }
        if !rest.isEmpty { parts.append(.text(String(rest))) }
        guard !parts.isEmpty, !text.contains("/"), !text.hasPrefix(".") else {
            throw arguments.error(.template, "expected a file name; name folders with --output")
        }
        self.parts = parts
    }

    /// The format of the template's extension; `nil` for `{ext}` and for unknown extensions.
    var format: FileFormat? { FileFormat(fileName: ByteString(text)) }

    func contains(_ placeholder: Placeholder) -> Bool { parts.contains(.placeholder(placeholder)) }

    /// - Parameter values: The values of placeholders. Placeholders without a value remain in the name.
    func name(_ values: [Placeholder: ByteString]) -> ByteString {
        parts.map { part in
            switch part {
            case .text(let text): ByteString(text)
            case .placeholder(let placeholder): values[placeholder] ?? "{\(placeholder.rawValue)}"
            }
        }.joined()
    }
}
