internal import CalotypeHTTP

extension ResponseDirectives {
    /// CDN-Cache-Control (RFC 9213 §2.1): a dictionary of the same directives.
    ///
    /// - Parameter lines: of the field. RFC 8941 §4.2 has them parsed as one, which would let a string begin in one line
    ///   and end in another: each has to be right by itself.
    /// - Returns: nil where there is no directive, a line breaks the grammar, or a directive that we know has a value of
    ///   the wrong type; the field stands in for nothing then (RFC 9213 §2.2).
    init?(targeted lines: some Sequence<ByteString>) {
        var members: [ByteString: StructuredField.Value] = [:]
        for line in lines {
            guard let dictionary = StructuredField.dictionary(line) else { return nil }
            members.merge(dictionary) { $1 }
        }
        guard !members.isEmpty else { return nil }
        for (name, value) in members {
            guard take(name, value) else { return nil }
        }
        notePermissions()
    }

    private mutating func take(_ name: ByteString, _ value: StructuredField.Value) -> Bool {
        switch name {
        case "no-store": Self.set(&noStore, value)
        case "public": Self.set(&isPublic, value)
        case "must-revalidate": Self.set(&mustRevalidate, value)
        case "proxy-revalidate": Self.set(&proxyRevalidate, value)
        case "must-understand": Self.set(&mustUnderstand, value)
        case "immutable": Self.set(&immutable, value)
        case "no-cache": Self.set(&noCache, value)
        case "private": Self.set(&isPrivate, value)
        case "max-age": Self.set(&maxAge, value)
        case "s-maxage": Self.set(&sharedMaxAge, value)
        case "stale-while-revalidate": Self.set(&staleWhileRevalidate, value)
        case "stale-if-error": Self.set(&staleIfError, value)
        default: true
        }
    }

    private static func set(_ flag: inout Bool, _ value: StructuredField.Value) -> Bool {
        guard case .item(.boolean(let isOn)) = value else { return false }
        flag = isOn
        return true
    }

    private static func set(_ scope: inout Scope, _ value: StructuredField.Value) -> Bool {
        switch value {
        case .item(.boolean(let isOn)): scope = isOn ? .whole : .absent
        case .item(.string(let names)): scope = Self.scope(names)
        default: return false
        }
        return true
    }

    private static func set(_ seconds: inout Double?, _ value: StructuredField.Value) -> Bool {
        guard case .item(.integer(let number)) = value else { return false }
        seconds = min(DeltaSeconds.limit, max(0, Double(number)))
        return true
    }
}
