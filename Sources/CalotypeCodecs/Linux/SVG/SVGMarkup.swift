#if SVG
    import Foundation

    /// The elements of an SVG document in order, parsed only to estimate the cost of drawing them.
    struct SVGMarkup {
        struct Element {
            /// The name without a prefix.
            var name: String
            var attributes: [String: String]
            var parent: Int?
            var children: [Int] = []
            /// The bytes of text in the element, excluding its children.
            var textLength = 0
        }

        private(set) var elements: [Element] = []
        /// The content of all style elements.
        private(set) var styleSheet = ""

        static let byteLimit = 4 << 20
        private static let elementLimit = 100_000
        private static let depthLimit = 100

        /// - Throws: `damaged` for invalid markup, `unsupported` for markup hidden from this parser, or `tooLarge`.
        init(_ bytes: UnsafeRawBufferPointer) throws(CodecError) {
            guard bytes.count <= Self.byteLimit else {
                throw CodecError(.tooLarge, "SVG of \(bytes.count) bytes: at most \(Self.byteLimit) are drawn")
            }
            var reader = MarkupReader(bytes)
            var open: [Int] = []
            while let part = try reader.next() {
                switch part {
                case .start(let name, let attributes, let isEmpty):
                    guard elements.count < Self.elementLimit, open.count < Self.depthLimit else {
                        throw CodecError(.tooLarge, "SVG of too many or too deeply nested elements")
                    }
                    // Included documents would be invisible to this parser.
                    if name == "include" { throw Self.hidden("includes") }
                    let index = elements.count
                    elements.append(Element(name: name, attributes: attributes, parent: open.last))
                    if let parent = open.last { elements[parent].children.append(index) }
                    if !isEmpty { open.append(index) }
                case .end: _ = open.popLast()
                case .text(let range):
                    guard let last = open.last else { continue }
                    elements[last].textLength += range.count
                    if elements[last].name == "style" { styleSheet += reader.text(range) }
                }
            }
            guard elements.first?.name == "svg" else { throw CodecError(.damaged, "SVG is damaged: it has no root") }
            if styleSheet.contains("@import") || styleSheet.contains("\\") {
                throw Self.hidden("imported or escaped style")
            }
        }

        static func hidden(_ what: String) -> CodecError {
            CodecError(.unsupported, "SVG with \(what) is not supported")
        }
    }

    /// An XML parser limited to the parts needed to see the same elements as librsvg.
    private struct MarkupReader {
        enum Part {
            case start(name: String, attributes: [String: String], isEmpty: Bool)
            case end
            case text(Range<Int>)
        }

        private let bytes: UnsafeRawBufferPointer
        private var offset = 0

        init(_ bytes: UnsafeRawBufferPointer) {
            self.bytes = bytes
        }

        func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

        mutating func next() throws(CodecError) -> Part? {
            while offset < bytes.count {
                if bytes[offset] != UInt8(ascii: "<") {
                    let start = offset
                    while offset < bytes.count, bytes[offset] != UInt8(ascii: "<") { offset += 1 }
                    return .text(start..<offset)
                }
                if has("<!--") {
                    try skip(behind: "-->")
                } else if has("<![CDATA[") {
                    let start = offset + 9
                    try skip(behind: "]]>")
                    return .text(start..<offset - 3)
                } else if has("<?") {
                    try skipInstruction()
                } else if has("<!") {
                    try skipDocumentType()
                } else if has("</") {
                    try skip(behind: ">")
                    return .end
                } else {
                    return try tag()
                }
            }
            return nil
        }

        private static let damaged = CodecError(.damaged, "SVG is damaged: its markup ends too early")

        private func has(_ mark: StaticString) -> Bool { ByteReader(bytes).has(mark, at: offset) }

        private mutating func skip(behind mark: StaticString) throws(CodecError) {
            while offset < bytes.count {
                if has(mark) {
                    offset += mark.utf8CodeUnitCount
                    return
                }
                offset += 1
            }
            throw Self.damaged
        }

        /// Skips an instruction. Throws for encodings that may hide markup, and for external style sheets.
        private mutating func skipInstruction() throws(CodecError) {
            let start = offset
            try skip(behind: "?>")
            let instruction = text(start..<offset).lowercased()
            if instruction.hasPrefix("<?xml-stylesheet") { throw SVGMarkup.hidden("a style sheet of another file") }
            guard instruction.hasPrefix("<?xml"), let place = instruction.range(of: "encoding") else { return }
            let rest = instruction[place.upperBound...]
            let known = ["utf-8", "us-ascii", "ascii", "iso-8859-1", "latin1", "windows-1252", "utf8"]
            guard known.contains(where: { rest.contains("\"\($0)\"") || rest.contains("'\($0)'") }) else {
                throw SVGMarkup.hidden("this encoding")
            }
        }

        /// Skips a document type. Throws for entities, which may contain markup and one another, except for those of
        /// namespace URLs, which are common and harmless.
        private mutating func skipDocumentType() throws(CodecError) {
            let start = offset
            var depth = 0
            while offset < bytes.count {
                let byte = bytes[offset]
                offset += 1
                if byte == UInt8(ascii: "[") { depth += 1 }
                if byte == UInt8(ascii: "]") { depth -= 1 }
                if byte == UInt8(ascii: ">"), depth <= 0 { break }
            }
            let declaration = text(start..<offset)
            if declaration.contains("%") { throw SVGMarkup.hidden("entities") }
            for entity in declaration.components(separatedByMark: "<!ENTITY").dropFirst() {
                let words = entity.split(maxSplits: 1, whereSeparator: \.isWhitespace)
                guard words.count == 2, words[1].hasPrefix("\"http") || words[1].hasPrefix("'http"),
                    !words[1].prefix(200).contains("&")
                else { throw SVGMarkup.hidden("entities") }
            }
        }

        private mutating func tag() throws(CodecError) -> Part {
            offset += 1
            let name = word { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: ">") }
            var attributes: [String: String] = [:]
            while offset < bytes.count {
                let byte = bytes[offset]
                if byte == UInt8(ascii: ">") {
                    offset += 1
                    return .start(name: name, attributes: attributes, isEmpty: false)
                }
                if has("/>") {
                    offset += 2
                    return .start(name: name, attributes: attributes, isEmpty: true)
                }
                if Self.isSpace(byte) || byte == UInt8(ascii: "/") {
                    offset += 1
                    continue
                }
                let attribute = word { $0 == UInt8(ascii: "=") || $0 == UInt8(ascii: ">") }
                while offset < bytes.count, Self.isSpace(bytes[offset]) || bytes[offset] == UInt8(ascii: "=") {
                    offset += 1
                }
                guard offset < bytes.count, bytes[offset] == UInt8(ascii: "\"") || bytes[offset] == UInt8(ascii: "'")
                else { throw Self.damaged }
                let (quote, start) = (bytes[offset], offset + 1)
                offset = start
                while offset < bytes.count, bytes[offset] != quote { offset += 1 }
                guard offset < bytes.count else { throw Self.damaged }
                attributes[attribute] = text(start..<offset).decodingReferences()
                offset += 1
            }
            throw Self.damaged
        }

        /// Returns the text up to white space or an end, without a namespace prefix.
        private mutating func word(until isEnd: (UInt8) -> Bool) -> String {
            var start = offset
            while offset < bytes.count, !Self.isSpace(bytes[offset]), !isEnd(bytes[offset]) {
                offset += 1
                if bytes[offset - 1] == UInt8(ascii: ":") { start = offset }
            }
            return text(start..<offset)
        }

        private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
    }

    extension String {
        fileprivate func components(separatedByMark mark: String) -> [Substring] {
            var (parts, rest): ([Substring], Substring) = ([], self[...])
            while let range = rest.range(of: mark) {
                parts.append(rest[..<range.lowerBound])
                rest = rest[range.upperBound...]
            }
            return parts + [rest]
        }

        /// Decodes numeric references and the five names of XML. Other entities are namespace URLs and are dropped.
        fileprivate func decodingReferences() -> String {
            guard utf8.contains(UInt8(ascii: "&")) else { return self }
            let names = ["amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'"]
            var parts = split(separator: "&", omittingEmptySubsequences: false)
            var decoded = String(parts.removeFirst())
            for part in parts {
                guard let end = part.firstIndex(of: ";") else {
                    decoded += part
                    continue
                }
                let name = part[..<end]
                if name.hasPrefix("#") {
                    let digits = name.dropFirst()
                    let number = digits.first == "x" ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
                    if let scalar = number.flatMap(Unicode.Scalar.init) { decoded.unicodeScalars.append(scalar) }
                } else {
                    decoded += names[String(name)] ?? ""
                }
                decoded += part[part.index(after: end)...]
            }
            return decoded
        }
    }
#endif
