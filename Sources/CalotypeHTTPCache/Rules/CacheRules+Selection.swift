package import CalotypeHTTP

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
