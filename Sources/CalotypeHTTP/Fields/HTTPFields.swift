public import CalotypeBase

/// Header or trailer fields, in the order in which they came, with duplicates. Names compare without case, values by their
/// bytes, which are kept and sent as they came, whether they are UTF-8 or not (RFC 9110 §5.5).
public struct HTTPFields: Hashable, Sendable {
    /// One line of a header: a name and a value.
    public struct Field: Hashable, Sendable {
        /// The name, compared without regard to case.
        public var name: CaselessString
        /// The value, without white space around it.
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

    /// All values of the field, joined by ", " as RFC 9110 §5.3 allows; nil if it is absent.
    ///
    /// Setting replaces all its lines by one; setting nil removes them.
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

    /// The values of each line of the field, in order.
    public func values(of name: CaselessString) -> [ByteString] {
        lines.filter { $0.name == name }.map(\.value)
    }

    /// The value of the field's first line.
    public func firstValue(of name: CaselessString) -> ByteString? {
        lines.first { $0.name == name }?.value
    }

    /// Returns whether the field is there, if only empty.
    public func contains(_ name: CaselessString) -> Bool {
        lines.contains { $0.name == name }
    }

    /// Appends a field, and leaves others of that name alone.
    public mutating func append(_ value: ByteString, to name: CaselessString) {
        lines.append(Field(name: name, value: value))
    }
}

extension ByteString {
    /// Appends one more line of the same field (RFC 9110 §5.3).
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
