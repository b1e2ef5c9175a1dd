internal import CalotypeHTTP

extension StoredResponse {
    /// The head as it may be stored once the body has ended, or has broken off; nil where it must not be kept.
    ///
    /// RFC 9111 §3.3: incomplete responses never pass for complete. What came of one is kept where the rest can be asked
    /// for: with a strong validator, from an origin that takes ranges. A body that is not as long as its head announced
    /// is no body.
    ///
    /// - Parameters:
    ///   - bodyLength: how many bytes came.
    ///   - isComplete: whether the body ended as the protocol says it must.
    package func ended(bodyLength: Int, isComplete: Bool) -> StoredResponse? {
        if let part { return ended(part, bodyLength: bodyLength, isComplete: isComplete) }
        let announced = fields.contentLength
        if isComplete {
            guard announced == nil || announced == bodyLength else { return nil }
            return holding(bodyLength, part: nil)
        }
        guard status == 200, bodyLength > 0, let announced, bodyLength < announced, canBeResumed else { return nil }
        return holding(bodyLength, part: StoredPart(range: 0..<bodyLength, completeLength: announced))
    }

    private func ended(_ part: StoredPart, bodyLength: Int, isComplete: Bool) -> StoredResponse? {
        let expected = part.range.count
        guard isComplete ? bodyLength == expected : bodyLength > 0 && bodyLength <= expected else { return nil }
        guard isComplete || head.entityTag?.isWeak == false else { return nil }
        let start = part.range.lowerBound
        let held = StoredPart(range: start..<(start + bodyLength), completeLength: part.completeLength)
        let isAll = start == 0 && bodyLength == part.completeLength
        return holding(bodyLength, part: isAll ? nil : held)
    }

    private var canBeResumed: Bool {
        let units = (fields["Accept-Ranges"].map(FieldList.members) ?? []).map(CaselessString.init)
        return units.contains("bytes") && head.entityTag?.isWeak == false
    }

    func holding(_ bodyLength: Int, part: StoredPart?) -> StoredResponse {
        var copy = self
        copy.bodyLength = bodyLength
        copy.part = part
        return copy
    }
}
