/// Header or trailer fields, in the order in which they came, duplicates kept. Names compare without case.
public struct HTTPFields: Hashable, Sendable {
    public struct Field: Hashable, Sendable {
        public var name: String
        public var value: String

        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    private var lines: [Field]

    public init(_ fields: [Field] = []) {
        lines = fields
    }

    /// All values of the field, joined by ", " as RFC 9110 §5.3 allows; nil where it is absent.
    ///
    /// Setting replaces all its lines by one; setting nil removes them.
    public subscript(_ name: String) -> String? {
        get {
            var joined: String?
            for line in lines where line.name.equalsIgnoringASCIICase(name) {
                if let earlier = joined { joined = earlier + ", " + line.value } else { joined = line.value }
            }
            return joined
        }
        set {
            lines.removeAll { $0.name.equalsIgnoringASCIICase(name) }
            if let newValue { lines.append(Field(name: name, value: newValue)) }
        }
    }

    /// The values of each line of the field, in order.
    public func values(of name: String) -> [String] {
        lines.filter { $0.name.equalsIgnoringASCIICase(name) }.map(\.value)
    }

    public mutating func append(_ value: String, to name: String) {
        lines.append(Field(name: name, value: value))
    }
}

extension HTTPFields: RandomAccessCollection {
    public var startIndex: Int { lines.startIndex }
    public var endIndex: Int { lines.endIndex }
    public subscript(_ index: Int) -> Field { lines[index] }
}

extension HTTPFields: ExpressibleByDictionaryLiteral {
    public init(dictionaryLiteral elements: (String, String)...) {
        self.init(elements.map { Field(name: $0.0, value: $0.1) })
    }
}

extension String {
    /// Whether both are the same but for the case of ASCII letters: how HTTP compares names and tokens.
    package func equalsIgnoringASCIICase(_ other: String) -> Bool {
        let (left, right) = (utf8, other.utf8)
        guard left.count == right.count else { return false }
        // Names are compared for every line of every message: by bytes that lie side by side, where they do.
        let isEqual = left.withContiguousStorageIfAvailable { left in
            right.withContiguousStorageIfAvailable { right in left.isEqualIgnoringASCIICase(to: right) }
        }
        if case .some(.some(let isEqual)) = isEqual { return isEqual }
        return zip(left, right).allSatisfy { $0.asciiLowercased == $1.asciiLowercased }
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// - Parameter other: of the same length.
    fileprivate func isEqualIgnoringASCIICase(to other: UnsafeBufferPointer<UInt8>) -> Bool {
        for index in indices where self[index] != other[index] {
            if self[index].asciiLowercased != other[index].asciiLowercased { return false }
        }
        return true
    }
}

extension UInt8 {
    package var asciiLowercased: UInt8 { self >= 0x41 && self <= 0x5A ? self | 0x20 : self }
}
