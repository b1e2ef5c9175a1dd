/// Takes a connection's requests apart, one after the other: RFC 9112's grammar, and nothing that two readers could read
/// differently.
///
/// A pure function over bytes that may stop anywhere and go on with more. It hands out ranges of the bytes given, so that
/// nothing is copied that its caller does not want.
struct RequestParser {
    enum Step: Hashable {
        /// All that can be said of these bytes has been said. Those that are not consumed are to be given again, with
        /// more behind them.
        case needsMore
        /// ``head`` is complete, and its ranges are those of the bytes just given.
        case head
        /// A piece of the body, never empty.
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
    /// How many bytes at the front the last call was the last to see.
    private(set) var consumed = 0

    init(_ limits: RequestLimits = RequestLimits()) {
        self.limits = limits
    }

    var head: ParsedHead { headParser.head }

    /// The next step into `bytes`, which begin behind those that were consumed.
    ///
    /// - Throws: why the request is refused. The parser is of no use from then on.
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

    /// Returns whether a request has begun, and not yet ended.
    func isInside(_ rest: Int) -> Bool { !isOver && (isInBody || rest > 0) }

    private var isInBody: Bool { if case .head = part { false } else { true } }

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
