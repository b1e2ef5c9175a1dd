extension ResponseDirectives {
    /// CDN-Cache-Control (RFC 9213 §2.1): a dictionary of the same directives.
    ///
    /// - Parameter text: all lines as one list.
    /// - Returns: nil where it is empty, breaks the grammar, or gives a directive that we know a value of the wrong
    ///   type; it stands in for nothing then.
    init?(targeted text: String) {
        guard let members = StructuredField.dictionary(text), !members.isEmpty else { return nil }
        for (name, value) in members {
            guard take(name, value) else { return nil }
        }
    }

    private mutating func take(_ name: String, _ value: StructuredField.Value) -> Bool {
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
        case .item(.string(let names)): scope = Self.scope(.text(names))
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
