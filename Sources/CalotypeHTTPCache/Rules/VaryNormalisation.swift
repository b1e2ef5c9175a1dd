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
        var members = FieldList.members(joined)
        switch name {
        case "accept-language", "accept-encoding", "accept-charset":
            members = members.map { weighted($0).lowercasedASCII }.sorted()
        case "accept":
            members = members.map(weighted).sorted()
        default: break
        }
        return members.joined(separator: ",")
    }

    /// RFC 9110 §12.4.2: no white space around the semicolons.
    private static func weighted(_ member: String) -> String {
        guard !member.utf8.contains(0x22) else { return member }
        return member.split(separator: ";", omittingEmptySubsequences: false).map(\.trimmed).joined(separator: ";")
    }
}
