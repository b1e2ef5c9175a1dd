internal import CalotypeHTTP

/// Field values as they are compared for Vary (RFC 9111 §4.1): bytes, several lines joined by ", ".
///
/// Only of the fields in the table is it known what else means nothing: there order goes, with white space and empty members,
/// and of most the case of letters.
enum VaryNormalisation {
    /// RFC 9110 §12.5: lists of members with weights, where the weights give the order.
    private static let table: [CaselessString: @Sendable (UInt8) -> UInt8] = [
        "accept": { $0 },
        "accept-charset": \.asciiLowercased,
        "accept-encoding": \.asciiLowercased,
        "accept-language": \.asciiLowercased,
    ]

    /// The longest value that is kept as it is, in bytes. Shorter than a digest, so that neither is taken for the other.
    private static let limit = 64

    /// Returns the value that is kept and compared. For a long value it is a digest: otherwise a client could fill the
    /// store with fields of its requests, however small the responses are.
    ///
    /// - Returns: nil where the field is absent.
    static func value(of name: CaselessString, in fields: HTTPFields) -> ByteString? {
        guard let value = normalised(name, in: fields) else { return nil }
        return value.count <= limit ? value : ByteString("sha-256:" + value.withBytes(KeyDigest.hex))
    }

    static func normalised(_ name: CaselessString, in fields: HTTPFields) -> ByteString? {
        guard let joined = fields[name] else { return nil }
        // Quoted strings may hold what separates members elsewhere, and need not end. Nobody means a long list.
        guard let fold = table[name], !joined.contains(0x22), FieldList.mostMembers(in: joined) <= FieldList.limit
        else {
            return joined
        }
        let members = joined.bytes.split(separator: 0x2C).map { tidied($0, fold) }.filter { !$0.isEmpty }
        var ordered = members
        if members.count > 1 { ordered.sort { $0.lexicographicallyPrecedes($1) } }
        return ByteString(bytes: ordered.joined(separator: [0x2C]))
    }

    /// Without white space at its ends and around semicolons.
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
