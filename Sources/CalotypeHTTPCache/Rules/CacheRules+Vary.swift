import CalotypeHTTP

extension CacheRules {
    /// Returns the request fields that the response's Vary names, with their values (RFC 9111 §4.1); `nil` if Vary has
    /// more than ``FieldList/limit`` members, a `*`, which matches no request, or a member that is not a field name.
    func varying(_ fields: HTTPFields, for request: HTTPRequest) -> [VaryingField]? {
        nominated(by: fields)?.map { name in
            VaryingField(name: name, value: VaryNormalisation.value(of: name, in: request.fields))
        }
    }

    /// Returns the names in Vary except ``fieldsInKey``, each once, sorted; `nil` as in ``varying(_:for:)``.
    func nominated(by fields: HTTPFields) -> [CaselessString]? {
        let lines = fields.values(of: "Vary")
        guard lines.reduce(0, { $0 + FieldList.mostMembers(in: $1) }) <= FieldList.limit else { return nil }
        let names = Set(FieldList.names(lines))
        guard names.allSatisfy({ $0 != "*" && $0.isHTTPToken }) else { return nil }
        return names.subtracting(fieldsInKey).sorted()
    }

    /// Returns the quality of the match between a stored response and the request (§4.1).
    func match(_ stored: StoredResponse, _ request: HTTPRequest) -> VariantMatch {
        var presented = PresentedFields(request.fields)
        // The key of the request pays off for several variants only.
        return compare(stored, &presented)
    }

    private func match(_ stored: StoredResponse, _ presented: inout PresentedFields) -> VariantMatch {
        presented.isKey(of: stored) ? .exact : compare(stored, &presented)
    }

    private func compare(_ stored: StoredResponse, _ presented: inout PresentedFields) -> VariantMatch {
        var quality = VariantMatch.exact
        for field in stored.varying where presented.value(of: field.name) != field.value {
            guard field.name == "accept-language", field.value != nil,
                let language = stored.head.contentLanguages.first, stored.head.contentLanguages.count == 1,
                presented.languages.prefers(language)
            else { return .none }
            quality = .negotiated
        }
        return quality
    }

    /// Returns the positions of the stored responses that may answer the request, regardless of freshness (RFC 9111 §4
    /// and §4.1): exact matches before negotiated ones, then by newest Date.
    func select(_ variants: [StoredResponse], for request: HTTPRequest) -> [Int] {
        if variants.count == 1 { return match(variants[0], request) == .none ? [] : [0] }
        var presented = PresentedFields(request.fields)
        let matches = variants.map { match($0, &presented) }
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

/// A request's fields, normalized for comparison by Vary. Each field is normalized once for all variants, and the key of
/// the request once for all variants whose Vary names the same fields.
struct PresentedFields {
    private let fields: HTTPFields
    /// The fields by name; `nil` if they are so few that a search is cheaper.
    private lazy var lines = fields.count > 32 ? Dictionary(grouping: fields, by: \.name) : nil
    private var values: [CaselessString: ByteString?] = [:]
    private var latest: (varying: [VaryingField], key: ByteString) = ([], "")
    lazy var languages = LanguageRanges(fields["Accept-Language"] ?? "")

    init(_ fields: HTTPFields) {
        self.fields = fields
    }

    /// Returns `true` if the request has the values with which the response was stored.
    mutating func isKey(of stored: StoredResponse) -> Bool {
        if stored.varying.isEmpty { return true }
        if !latest.varying.elementsEqual(stored.varying, by: { $0.name == $1.name }) {
            let varying = stored.varying.map { VaryingField(name: $0.name, value: value(of: $0.name)) }
            latest = (varying, varying.key)
        }
        return latest.key == stored.variantKey
    }

    mutating func value(of name: CaselessString) -> ByteString? {
        if let value = values[name] { return value }
        let value = VaryNormalisation.value(of: name, in: lines.map { HTTPFields($0[name] ?? []) } ?? fields)
        values[name] = .some(value)
        return value
    }
}

enum VariantMatch: Int, Comparable {
    case none
    /// Only Accept-Language differs, and the response's only Content-Language is the one that the request prefers.
    case negotiated
    case exact

    static func < (left: VariantMatch, right: VariantMatch) -> Bool { left.rawValue < right.rawValue }
}
