import CalotypeBase
import CalotypeHTTP

/// A parser for a chunked body (RFC 9112 §7.1). Sizes, extensions and trailers are checked and dropped.
///
/// It consumes every byte it is given, up to the end of the body, and buffers none between calls.
struct ChunkedBody {
    private enum State {
        case size, blankBeforeExtension
        case extensionName, inExtensionName, blankAfterName
        case extensionValue, inToken, inQuotes, escaped, afterQuotes, blankAfterValue
        case sizeLineFeed
        case data, dataCarriageReturn, dataLineFeed
        case lineStart, inTrailerName, inTrailerValue, trailerLineFeed, lastLineFeed
        case done
    }

    private var state = State.size
    private var sizeDigits = 0
    private var remaining = 0
    private var total = 0
    private var extensions = 0
    private var allExtensions = 0
    private var trailers = 0

    /// The number of hexadecimal digits of the largest 64-bit number.
    private static let digitLimit = 16

    /// - Returns: The next piece of the body, or `nil` with `position` at the end of the bytes or of the body.
    mutating func next(
        in bytes: Span<UInt8>, from position: inout Int, _ limits: RequestLimits
    ) throws(RequestFault) -> Range<Int>? {
        while position < bytes.count, state != .done {
            if state == .data {
                let piece = position..<position + min(remaining, bytes.count - position)
                position = piece.upperBound
                remaining -= piece.count
                if remaining == 0 { state = .dataCarriageReturn }
                return piece
            }
            try take(bytes[position], limits)
            position += 1
        }
        return nil
    }

    var isDone: Bool { state == .done }

    private mutating func take(_ byte: UInt8, _ limits: RequestLimits) throws(RequestFault) {
        switch state {
        case .size: try takeSize(byte, limits)
        case .sizeLineFeed:
            try require(byte == .lineFeed)
            state = remaining > 0 ? .data : .lineStart
        case .data, .done: break
        case .dataCarriageReturn:
            try require(byte == .carriageReturn)
            state = .dataLineFeed
        case .dataLineFeed:
            try require(byte == .lineFeed)
            (state, sizeDigits, extensions) = (.size, 0, 0)
        case .lineStart, .inTrailerName, .inTrailerValue, .trailerLineFeed, .lastLineFeed:
            try takeTrailer(byte, limits)
        default: try takeExtension(byte, limits)
        }
    }

    private func require(_ isRight: Bool) throws(RequestFault) {
        guard isRight else { throw .malformedChunk }
    }

    // MARK: The size

    private mutating func takeSize(_ byte: UInt8, _ limits: RequestLimits) throws(RequestFault) {
        if let digit = byte.hexValue {
            guard sizeDigits < Self.digitLimit, remaining <= Int.max >> 4 else { throw .chunkTooLarge }
            remaining = remaining << 4 | Int(digit)
            sizeDigits += 1
            return
        }
        try require(sizeDigits > 0)
        let (sum, overflows) = total.addingReportingOverflow(remaining)
        guard !overflows, sum <= limits.body else { throw .bodyTooLarge(limit: limits.body) }
        total = sum
        if byte == .carriageReturn {
            state = .sizeLineFeed
        } else {
            state = .blankBeforeExtension
            try takeExtension(byte, limits)
        }
    }

    // MARK: Extensions

    /// chunk-ext = *( BWS ";" BWS name [ BWS "=" BWS ( token / quoted-string ) ] )
    private mutating func takeExtension(_ byte: UInt8, _ limits: RequestLimits) throws(RequestFault) {
        extensions += 1
        allExtensions += 1
        guard extensions <= limits.chunkExtensions, allExtensions <= limits.allChunkExtensions else {
            throw .chunkExtensionsTooLong
        }
        state = try nextInExtension(byte)
    }

    private func nextInExtension(_ byte: UInt8) throws(RequestFault) -> State {
        switch (state, byte) {
        case (.blankBeforeExtension, _) where byte.isBlank, (.extensionName, _) where byte.isBlank,
            (.blankAfterName, _) where byte.isBlank, (.extensionValue, _) where byte.isBlank,
            (.blankAfterValue, _) where byte.isBlank:
            return state
        case (.blankBeforeExtension, .semicolon), (.inExtensionName, .semicolon), (.blankAfterName, .semicolon),
            (.inToken, .semicolon), (.afterQuotes, .semicolon), (.blankAfterValue, .semicolon):
            return .extensionName
        case (.inExtensionName, .carriageReturn), (.inToken, .carriageReturn), (.afterQuotes, .carriageReturn):
            return .sizeLineFeed
        case (.extensionName, _) where byte.isTokenCharacter, (.inExtensionName, _) where byte.isTokenCharacter:
            return .inExtensionName
        case (.inExtensionName, _) where byte.isBlank: return .blankAfterName
        case (.inExtensionName, .equals), (.blankAfterName, .equals): return .extensionValue
        case (.extensionValue, .quote): return .inQuotes
        case (.extensionValue, _) where byte.isTokenCharacter, (.inToken, _) where byte.isTokenCharacter:
            return .inToken
        case (.inToken, _) where byte.isBlank, (.afterQuotes, _) where byte.isBlank: return .blankAfterValue
        case (.inQuotes, .quote): return .afterQuotes
        case (.inQuotes, .backslash): return .escaped
        case (.inQuotes, _) where byte.isFieldContent, (.escaped, _) where byte.isFieldContent: return .inQuotes
        default: throw .malformedChunk
        }
    }

    // MARK: Trailers

    private mutating func takeTrailer(_ byte: UInt8, _ limits: RequestLimits) throws(RequestFault) {
        trailers += 1
        guard trailers <= limits.trailers else { throw .trailersTooLarge }
        switch state {
        case .lineStart where byte == .carriageReturn: state = .lastLineFeed
        case .lineStart where byte.isTokenCharacter:
            guard limits.takesTrailers else { throw .trailers }
            state = .inTrailerName
        case .inTrailerName where byte == .colon: state = .inTrailerValue
        case .inTrailerName where byte.isTokenCharacter: break
        case .inTrailerValue where byte == .carriageReturn: state = .trailerLineFeed
        case .inTrailerValue where byte.isFieldContent: break
        case .trailerLineFeed where byte == .lineFeed: state = .lineStart
        case .lastLineFeed where byte == .lineFeed: state = .done
        default: throw .malformedTrailer
        }
    }
}
