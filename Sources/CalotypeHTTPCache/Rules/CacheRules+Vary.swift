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
