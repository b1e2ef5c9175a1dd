import CalotypeHTTP

/// A parser for a request's head, which takes each line as it arrives.
///
/// Pass all bytes since the beginning of the head in each call. No byte is examined twice, and the result does not
/// depend on how the bytes are divided among the calls.
struct HeadParser {
    private enum Part { case requestLine, fields }

    private(set) var head = ParsedHead()
    private var part = Part.requestLine
    private var lineStart = 0
    /// The position up to which the current line has been searched for its end.
    private var scanned = 0
    private var framing = FramingFields()

    /// - Returns: `true` if the head is complete.
    mutating func parse(_ bytes: Span<UInt8>, _ limits: RequestLimits) throws(RequestFault) -> Bool {
        while true {
            // Bytes beyond a limit are not examined, so that one large piece has the same result as many small ones.
            let window = part == .requestLine ? lineStart + limits.requestLine + 2 : limits.head
            guard let end = try lineEnd(in: bytes, upTo: min(window, limits.head, bytes.count)) else {
                guard bytes.count < min(window, limits.head) else { throw tooLong(bytes, limits) }
                return false
            }
            let line = lineStart..<end
            lineStart = end + 2
            scanned = lineStart
            if try take(line, of: bytes, limits) { return true }
        }
    }

    /// Prepares for the next head, and keeps the array of fields if its capacity is at most 64.
    mutating func reset() {
        var lines = head.fields
        lines.removeAll(keepingCapacity: lines.capacity <= 64)
        self = HeadParser()
        head.fields = lines
    }

    /// Returns the position of the current line's CRLF, or `nil` if it has not arrived.
    private mutating func lineEnd(in bytes: Span<UInt8>, upTo window: Int) throws(RequestFault) -> Int? {
        while scanned < window {
            let byte = bytes[scanned]
            if byte.isFieldContent {
                scanned += 1
                continue
            }
            guard byte == .carriageReturn else { throw .controlCharacter }
            guard scanned + 1 < window else { return nil }
            guard bytes[scanned + 1] == .lineFeed else { throw .bareCarriageReturn }
            return scanned
        }
        return nil
    }

    private func tooLong(_ bytes: Span<UInt8>, _ limits: RequestLimits) -> RequestFault {
        guard part == .requestLine else { return .headTooLarge }
        for index in lineStart..<min(lineStart + limits.method + 1, bytes.count) where bytes[index] == .space {
            return .targetTooLong
        }
        return .methodTooLong
    }

    /// - Returns: `true` for the empty line at the end.
    private mutating func take(
        _ line: Range<Int>, of bytes: Span<UInt8>, _ limits: RequestLimits
    ) throws(RequestFault) -> Bool {
        switch (part, line.isEmpty) {
        case (.requestLine, true):
            // RFC 9112 §2.2: one empty line is ignored, because old clients send it after a body.
            guard line.lowerBound == 0 else { throw .secondEmptyLine }
            return false
        case (.requestLine, false):
            try head.takeRequestLine(line, of: bytes, limits)
            part = .fields
            return false
        case (.fields, false):
            guard head.fields.count < limits.fields else { throw .tooManyFields }
            let field = try ParsedHead.Field(line, of: bytes)
            head.fields.append(field)
            try framing.take(field, of: bytes, &head)
            return false
        case (.fields, true):
            try framing.conclude(&head, limits)
            head.count = lineStart
            return true
        }
    }
}

extension ParsedHead.Field {
    /// Parses a token, directly followed by a colon, and a value with optional white space around it (RFC 9112 §5).
    fileprivate init(_ line: Range<Int>, of bytes: Span<UInt8>) throws(RequestFault) {
        guard !bytes[line.lowerBound].isBlank else { throw .foldedLine }
        var colon = line.lowerBound
        while colon < line.upperBound, bytes[colon].isTokenCharacter { colon += 1 }
        guard colon > line.lowerBound, colon < line.upperBound, bytes[colon] == .colon else {
            throw .malformedFieldName
        }
        name = line.lowerBound..<colon
        value = bytes.trimmed(colon + 1..<line.upperBound)
    }
}
