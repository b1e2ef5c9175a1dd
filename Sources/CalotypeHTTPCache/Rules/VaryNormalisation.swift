internal import CalotypeHTTP

/// Normalizes field values for comparison by Vary (RFC 9111 §4.1). In the fields of the table, order, white space and
/// empty members are insignificant; except in Accept, so is case. Other fields are compared unchanged.
enum VaryNormalisation {
    /// The fields that list weighted members (RFC 9110 §12.5). Their weights, not their order, determine the
    /// preference.
    private static let table: [CaselessString: @Sendable (UInt8) -> UInt8] = [
        "accept": { $0 },
        // Closures, because a key path is looked up for each byte.
        "accept-charset": { $0.asciiLowercased },
        "accept-encoding": { $0.asciiLowercased },
        "accept-language": { $0.asciiLowercased },
    ]

    /// The maximum length of a value stored unchanged, in bytes. Digests are longer, so that none equals a value.
    private static let limit = 64

    /// Returns the value to store and compare, or `nil` if the field is absent. A long value becomes a digest, because
    /// a client could otherwise fill the store with request fields, however small the responses are.
    static func value(of name: CaselessString, in fields: HTTPFields) -> ByteString? {
        guard let value = normalised(name, in: fields) else { return nil }
        return value.count <= limit ? value : ByteString("sha-256:" + value.withBytes(KeyDigest.hex))
    }

    static func normalised(_ name: CaselessString, in fields: HTTPFields) -> ByteString? {
        guard let joined = fields[name] else { return nil }
        // Values with quoted strings stay unchanged, because a string may contain separators or lack its end. So do
        // long lists, which are not worth sorting.
        guard let fold = table[name], !joined.contains(0x22), FieldList.mostMembers(in: joined) <= FieldList.limit
        else {
            return joined
        }
        let members = joined.bytes.split(separator: 0x2C).map { tidied($0, fold) }.filter { !$0.isEmpty }
        var ordered = members
        if members.count > 1 { ordered.sort { $0.lexicographicallyPrecedes($1) } }
        return ByteString(bytes: ordered.joined(separator: [0x2C]))
    }

    /// Removes white space around the member and its semicolons.
    private static func tidied(_ member: some Sequence<UInt8>, _ fold: (UInt8) -> UInt8) -> [UInt8] {
        var result: [UInt8] = []
        var blanks = 0
        for byte in member {
            if byte.isBlank {
                if let last = result.last, last != 0x3B { blanks += 1 }
                continue
            }
            if byte != 0x3B, blanks > 0 { result.append(0x20) }
            blanks = 0
            result.append(fold(byte))
        }
        return result
    }
}
