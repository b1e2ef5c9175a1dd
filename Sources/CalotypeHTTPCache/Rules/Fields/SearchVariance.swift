internal import CalotypeBase
internal import CalotypeHTTP

/// The differences between queries that make no difference for a response, by its No-Vary-Search
/// (draft-ietf-httpbis-no-vary-search).
struct SearchVariance: Hashable, Sendable {
    /// The parameters that count.
    enum Parameters: Hashable, Sendable {
        case allBut(Set<ByteString>)
        case only(Set<ByteString>)
    }

    let parameters: Parameters
    let ignoresOrder: Bool

    /// The maximum length of the field and of a query, in bytes.
    static let lengthLimit = 8 << 10
    /// The maximum number of parameters that the field names.
    static let nameLimit = 256

    /// Reads the field of a response. `params` as a flag, as browsers have it, is the same as `except=()`, and next to
    /// `except` it has no meaning of its own.
    ///
    /// - Returns: `nil` if each query has its own response: without the field, or if the field is malformed, longer than
    ///   the limits, or names no difference.
    init?(_ fields: HTTPFields) {
        guard let text = fields["No-Vary-Search"], text.count <= Self.lengthLimit,
            let members = StructuredField.dictionary(text)
        else { return nil }
        switch members["key-order"] {
        case nil: ignoresOrder = false
        case .item(.boolean(let flag)): ignoresOrder = flag
        default: return nil
        }
        switch (members["params"], members["except"]) {
        case (nil, nil): parameters = .allBut([])
        case (.innerList(let items), nil):
            guard let names = Self.names(items) else { return nil }
            parameters = .allBut(names)
        case (nil, .innerList(let items)), (.item(.boolean(true)), .innerList(let items)):
            guard let names = Self.names(items) else { return nil }
            parameters = .only(names)
        case (.item(.boolean(true)), nil): parameters = .only([])
        default: return nil
        }
        if !ignoresOrder, parameters == .allBut([]) { return nil }
    }

    private static func names(_ items: [StructuredField.BareItem]) -> Set<ByteString>? {
        guard items.count <= nameLimit else { return nil }
        var names: Set<ByteString> = []
        for item in items {
            guard case .string(let text) = item else { return nil }
            names.insert(decoded(text.bytes[...]))
        }
        return names
    }

    /// Returns a text that is equal for two queries if the response to one of them is the response to the other.
    func canonical(_ query: ByteString) -> ByteString {
        var pairs: [(name: ByteString, value: ByteString)] = []
        for pair in query.bytes.split(separator: UInt8(ascii: "&")) {
            let equals = pair.firstIndex(of: UInt8(ascii: "=")) ?? pair.endIndex
            let name = Self.decoded(pair[..<equals])
            if counts(name) { pairs.append((name, Self.decoded(pair[equals...].dropFirst()))) }
        }
        if ignoresOrder {
            // Parameters of the same name keep their order.
            let order = pairs.indices.sorted { left, right in
                pairs[left].name != pairs[right].name ? pairs[left].name < pairs[right].name : left < right
            }
            pairs = order.map { pairs[$0] }
        }
        var text: [UInt8] = []
        for pair in pairs {
            pair.name.withBytes { text.appendPercentEncoded($0[...], except: \.isUnreserved) }
            text.append(UInt8(ascii: "="))
            pair.value.withBytes { text.appendPercentEncoded($0[...], except: \.isUnreserved) }
            text.append(UInt8(ascii: "&"))
        }
        return ByteString(bytes: text)
    }

    var names: Set<ByteString> {
        switch parameters {
        case .allBut(let names), .only(let names): names
        }
    }

    private func counts(_ name: ByteString) -> Bool {
        switch parameters {
        case .allBut(let names): !names.contains(name)
        case .only(let names): names.contains(name)
        }
    }

    /// Decodes a name or a value as a form does (application/x-www-form-urlencoded): "+" is a space, a "%" without two
    /// digits is itself, and bytes that are not UTF-8 become U+FFFD.
    private static func decoded(_ bytes: ArraySlice<UInt8>) -> ByteString {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(bytes.count)
        var rest = bytes
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), rest.count >= 2, let high = rest[rest.startIndex].hexValue,
                let low = rest[rest.startIndex + 1].hexValue
            {
                decoded.append(high << 4 | low)
                rest = rest.dropFirst(2)
            } else {
                decoded.append(byte == UInt8(ascii: "+") ? 0x20 : byte)
            }
        }
        return ByteString(String(decoding: decoded, as: UTF8.self))
    }
}
