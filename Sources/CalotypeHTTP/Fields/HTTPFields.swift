public import CalotypeBase

/// Header or trailer fields in the order of receipt, duplicates included. Names are case-insensitive. Values are byte
/// strings, stored and sent unchanged whether they are UTF-8 or not (RFC 9110 §5.5).
public struct HTTPFields: Hashable, Sendable {
    /// One line of a header: a name and a value.
    public struct Field: Hashable, Sendable {
        /// The name, which is case-insensitive.
        public var name: CaselessString
        /// The value, without surrounding white space.
        public var value: ByteString

        /// Creates a field.
        public init(name: CaselessString, value: ByteString) {
            self.name = name
            self.value = value
        }
    }

    private var lines: [Field]

    /// Creates a list of fields in the order given.
    public init(_ fields: [Field] = []) {
        lines = fields
    }

    /// The values of all lines of the field, joined by ", " (RFC 9110 §5.3), or `nil` if the field is absent.
    ///
    /// Assigning a value replaces all lines of the field by one; assigning `nil` removes them.
    public subscript(_ name: CaselessString) -> ByteString? {
        get {
            guard let first = lines.firstIndex(where: { $0.name == name }) else { return nil }
            var joined = lines[first].value
            for line in lines[(first + 1)...] where line.name == name { joined.appendLine(line.value) }
            return joined
        }
        set {
            lines.removeAll { $0.name == name }
            if let newValue { lines.append(Field(name: name, value: newValue)) }
        }
    }

    /// Returns the values of the field's lines, in order.
    public func values(of name: CaselessString) -> [ByteString] {
        lines.filter { $0.name == name }.map(\.value)
    }

    /// Returns the value of the field's first line, or `nil` if the field is absent.
    public func firstValue(of name: CaselessString) -> ByteString? {
        lines.first { $0.name == name }?.value
    }

    /// Returns `true` if the field is present, even with an empty value.
    public func contains(_ name: CaselessString) -> Bool {
        lines.contains { $0.name == name }
    }

    /// Appends a line. Existing lines of the same name remain.
    public mutating func append(_ value: ByteString, to name: CaselessString) {
        lines.append(Field(name: name, value: value))
    }
}

extension ByteString {
    /// Appends the value of the field's next line, after ", " (RFC 9110 §5.3).
    package mutating func appendLine(_ value: ByteString) {
        append(", ")
        append(value)
    }
}

extension HTTPFields: RandomAccessCollection {
    public var startIndex: Int { lines.startIndex }
    public var endIndex: Int { lines.endIndex }
    public subscript(_ index: Int) -> Field { lines[index] }
}

extension HTTPFields: ExpressibleByDictionaryLiteral {
    public init(dictionaryLiteral elements: (CaselessString, ByteString)...) {
        self.init(elements.map { Field(name: $0.0, value: $0.1) })
    }
}
