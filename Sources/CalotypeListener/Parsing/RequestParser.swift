/// A parser for a connection's requests, one after the other, by the grammar of RFC 9112. It rejects anything that two
/// recipients could interpret differently.
///
/// The results depend only on the bytes, not on how the bytes are divided among the calls. Each result is a range of
/// the passed bytes, so that the caller copies only the bytes it needs.
struct RequestParser {
    enum Step: Hashable {
        /// The bytes contain no further result. Pass the unconsumed bytes again, with more after them.
        case needsMore
        /// ``head`` is complete. Its ranges refer to the bytes passed in this call.
        case head
        /// A part of the body as a range of the bytes, never empty.
        case body(Range<Int>)
        /// The request is complete. The next call begins another one.
        case end
    }

    private enum Part {
        case head
        case body(remaining: Int)
        case chunks(ChunkedBody)
    }

    private let limits: RequestLimits
    private var part = Part.head
    private var headParser = HeadParser()
    private var isOver = false
    /// The number of bytes, from the front, that the last call consumed.
    private(set) var consumed = 0

    init(_ limits: RequestLimits = RequestLimits()) {
        self.limits = limits
    }

    var head: ParsedHead { headParser.head }

    /// Returns the next result in `bytes`, which begin after those that the last call consumed.
    ///
    /// - Throws: The reason for rejecting the request. The parser cannot be used afterwards.
    mutating func next(in bytes: Span<UInt8>) throws(RequestFault) -> Step {
        consumed = 0
        if isOver {
            headParser.reset()
            (isOver, part) = (false, .head)
        }
        switch part {
        case .head: return try nextOfHead(in: bytes)
        case .body(let remaining): return nextOfBody(in: bytes, remaining)
        case .chunks(var body):
            let piece = try body.next(in: bytes, from: &consumed, limits)
            part = .chunks(body)
            if let piece { return .body(piece) }
            return body.isDone ? end() : .needsMore
        }
    }

    private mutating func nextOfHead(in bytes: Span<UInt8>) throws(RequestFault) -> Step {
        guard try headParser.parse(bytes, limits) else { return .needsMore }
        consumed = headParser.head.count
        part =
            switch headParser.head.framing {
            case .length(let length): .body(remaining: length)
            case .chunked: .chunks(ChunkedBody())
            }
        return .head
    }

    private mutating func nextOfBody(in bytes: Span<UInt8>, _ remaining: Int) -> Step {
        guard remaining > 0 else { return end() }
        let count = min(remaining, bytes.count)
        guard count > 0 else { return .needsMore }
        consumed = count
        part = .body(remaining: remaining - count)
        return .body(0..<count)
    }

    private mutating func end() -> Step {
        isOver = true
        return .end
    }
}
