internal import CalotypeHTTP
internal import Foundation

// The variant that is stored when a transfer has ended.

extension HTTPCache {
    /// Returns the variant to store for the bytes that a transfer has gathered, or `nil` to store nothing.
    func variant(
        of gathered: Transfer.Gathered, _ head: StoredResponse, as id: StoredVariant.ID, _ extent: StoreDecision.Extent
    ) -> StoredVariant? {
        let (length, isComplete) = (gathered.length, gathered.isComplete)
        guard isComplete || (length >= options.resumableLength && extent == .whole),
            let head = head.ended(bodyLength: length, isComplete: isComplete)
        else { return nil }
        var variant = StoredVariant(id: id, head: head, body: nil)
        switch gathered {
        case .streamed(let body, _): if isComplete { variant.digest = body.digest }
        case .whole(let chunks), .cutOff(let chunks):
            let body = chunks.joined(of: length)
            if extent == .whole { variant.body = body }
            if isComplete { variant.digest = digest(of: body) }
        case .tooLarge: return nil
        }
        variant.lacksBody = extent != .whole
        return variant.lacksBody && variant.digest == nil ? nil : variant
    }

    private func digest(of body: Data) -> String? {
        options.bodyDigest.map { make in
            let digest = make()
            digest.add(body)
            return digest.text()
        }
    }
}

extension Transfer.Gathered {
    /// The number of bytes that can be stored.
    var length: Int {
        switch self {
        case .whole(let chunks), .cutOff(let chunks): chunks.reduce(0) { $0 + $1.count }
        case .streamed(let body, _): body.length
        case .tooLarge: 0
        }
    }

    var isComplete: Bool {
        switch self {
        case .whole: true
        case .streamed(_, let isComplete): isComplete
        case .cutOff, .tooLarge: false
        }
    }

    var writer: (any HTTPBodyWriter)? {
        if case .streamed(let body, _) = self { body.writer } else { nil }
    }
}

extension [Data] {
    fileprivate func joined(of length: Int) -> Data {
        // A slice would keep its whole parent buffer alive.
        if count == 1 { return Data(self[0]) }
        var whole = Data(capacity: length)
        for chunk in self { whole.append(chunk) }
        return whole
    }
}
