internal import CalotypeBase
internal import CalotypeHTTP

/// The groups of a response, or those that a response to an unsafe request invalidates (RFC 9875 §2, §3).
enum CacheGroups: Hashable, Sendable {
    case named(Set<ByteString>)
    /// More groups than the cache tells apart. It takes the response for a member of each group of its origin, so that none of
    /// their invalidations misses it.
    case all

    /// The maximum number of groups in a field, four times what RFC 9875 §2 demands.
    static let countLimit = 128
    /// The maximum length of the name of a group, in bytes, four times what RFC 9875 §2 demands.
    static let lengthLimit = 128

    var names: Set<ByteString> { if case .named(let names) = self { names } else { [] } }

    init(_ names: some Sequence<ByteString>) {
        let names = Set(names)
        let fits = names.count <= Self.countLimit && names.allSatisfy { $0.count <= Self.lengthLimit }
        self = fits ? .named(names) : .all
    }

    /// Reads a list of strings (RFC 8941 §3.1), whose parameters are ignored.
    ///
    /// - Returns: `nil` if the field is missing, empty, malformed, or contains a member that is not a string.
    init?(_ fields: HTTPFields, _ name: CaselessString) {
        guard let text = fields[name], let members = StructuredField.list(text), !members.isEmpty else { return nil }
        var names: [ByteString] = []
        for member in members {
            guard case .item(.string(let name)) = member else { return nil }
            names.append(name)
        }
        self.init(names)
    }
}
