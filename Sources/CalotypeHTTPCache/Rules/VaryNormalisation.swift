internal import CalotypeHTTP

/// Field values without the differences that mean nothing (RFC 9111 §4.1).
///
/// Several lines become one list, and white space around members goes. Where the field's own definition says that order
/// or case mean nothing, they go too; of other fields nothing is known.
enum VaryNormalisation {
    /// - Parameter name: in lower case.
    /// - Returns: nil where the field is absent.
    static func value(of name: String, in fields: HTTPFields) -> String? {
        guard let joined = fields[name] else { return nil }
        return switch name {
        case "accept-language", "accept-encoding", "accept-charset": sorted(joined, foldsCase: true)
        case "accept": sorted(joined, foldsCase: false)
        default: FieldList.members(joined).joined(separator: ",")
        }
    }

    /// RFC 9110 §12.4: members with weights, in an order of our own. Bytes, not strings: this is done for every request.
    private static func sorted(_ list: String, foldsCase: Bool) -> String {
        let bytes = Array(list.utf8)
        // Quoted strings may hold what separates members elsewhere, and may not end: then only white space goes.
        guard !bytes.contains(0x22) else { return FieldList.members(list).joined(separator: ",") }
        let members = bytes.split(separator: 0x2C).map { tidied($0, foldsCase: foldsCase) }.filter { !$0.isEmpty }
        var ordered = members
        if members.count > 1 { ordered.sort { $0.lexicographicallyPrecedes($1) } }
        return String(decoding: Array(ordered.joined(separator: [0x2C])), as: UTF8.self)
    }

    /// Without white space at its ends and around semicolons.
    private static func tidied(_ member: ArraySlice<UInt8>, foldsCase: Bool) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(member.count)
        var blanks = 0
        for byte in member {
            if byte.isWhiteSpace {
                if let last = result.last, last != 0x3B { blanks += 1 }
                continue
            }
            if byte != 0x3B, blanks > 0 { result.append(0x20) }
            blanks = 0
            result.append(foldsCase ? byte.asciiLowercased : byte)
        }
        return result
    }
}
