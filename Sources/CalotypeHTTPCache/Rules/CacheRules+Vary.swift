package import CalotypeHTTP

extension CacheRules {
    /// RFC 9111 §4.1: what Vary nominates, and what the request says there.
    ///
    /// - Parameter fields: the response's.
    /// - Returns: nil where Vary has a member `*`, which no request matches, or one that is no field name: it names
    ///   something, and a cache cannot know what.
    package func varying(_ fields: HTTPFields, for request: HTTPRequest) -> [VaryingField]? {
        nominated(by: fields)?.map { name in
            VaryingField(name: name, value: VaryNormalisation.value(of: name, in: request.fields))
        }
    }

    /// The names in Vary, each once, in order.
    func nominated(by fields: HTTPFields) -> [CaselessString]? {
        let names = Set(FieldList.names(fields.values(of: "Vary")))
        guard names.allSatisfy({ $0 != "*" && $0.isHTTPToken }) else { return nil }
        return names.subtracting(fieldsInKey).sorted()
    }

    /// §4.1: how well a stored response suits the request.
    func match(_ stored: StoredResponse, _ request: HTTPRequest) -> VariantMatch {
        match(stored, request) { VaryNormalisation.value(of: $0, in: request.fields) }
    }

    /// - Parameter presented: what the request says in a field, as it is compared.
    func match(
        _ stored: StoredResponse, _ request: HTTPRequest, presented: (CaselessString) -> ByteString?
    ) -> VariantMatch {
        var match = VariantMatch.exact
        for field in stored.varying where presented(field.name) != field.value {
            guard field.name == "accept-language", let presented = request.fields[field.name], field.value != nil,
                let language = stored.head.contentLanguages.first, stored.head.contentLanguages.count == 1,
                LanguageRanges(presented).prefers(language)
            else { return .none }
            match = .negotiated
        }
        return match
    }
}

enum VariantMatch: Int, Comparable {
    case none
    /// The stored language is the one that the request likes best, though it asked in other words.
    case negotiated
    case exact

    static func < (left: VariantMatch, right: VariantMatch) -> Bool { left.rawValue < right.rawValue }
}

extension CacheRules {
    /// RFC 9111 §4 and §4.1: which of a URL's stored responses may answer the request, leaving freshness aside.
    ///
    /// - Returns: positions in `variants`, the best first: what was asked for in the same words before what was
    ///   negotiated, then the newest Date.
    package func select(_ variants: [StoredResponse], for request: HTTPRequest) -> [Int] {
        if variants.count == 1 { return match(variants[0], request) == .none ? [] : [0] }
        // Worked out once for all variants.
        var known: [CaselessString: ByteString?] = [:]
        let matches = variants.map { variant in
            match(variant, request) { name in
                if let value = known[name] { return value }
                let value = VaryNormalisation.value(of: name, in: request.fields)
                known[name] = .some(value)
                return value
            }
        }
        return variants.indices.filter { matches[$0] != .none }.sorted { left, right in
            if matches[left] != matches[right] { return matches[left] > matches[right] }
            return isNewer(variants[left], variants[right])
        }
    }

    func isNewer(_ left: StoredResponse, _ right: StoredResponse) -> Bool {
        let dates = (left.head.date ?? left.responseTime, right.head.date ?? right.responseTime)
        return dates.0 != dates.1 ? dates.0 > dates.1 : left.responseTime > right.responseTime
    }
}
