package import CSandbox

/// A worker's answer after all of its values have been checked.
package enum WorkerAnswer: Sendable {
    /// No value: the file is of another format, names no color space, or has no intact part, no preview yet or no
    /// frames.
    case nothing
    case header(ImageHeader)
    case colors(String)
    /// A bitmap with contiguous rows, stored in the shared pixel memory.
    case bitmap(PixelSize, hasAlpha: Bool, gamut: ColorGamut = .sRGB)
    /// A bitmap like the above, and the size of the image at its detail.
    case preview(PixelSize, hasAlpha: Bool, detail: PixelSize)
    case animation(canvas: PixelSize, loopCount: Int?, frames: Int)
    /// The number of frames listed in the shared pixel memory.
    case frames(Int)
    /// The number of bytes of a file in the shared pixel memory.
    case file(Int)
    case failure(CodecError)
}

/// A reader of the answer to one request, which accepts only the answers that this request may have.
package struct AnswerReader: Sendable {
    package let serial: UInt64
    package let kind: UInt32
    package let formats: [ImageFormat]
    /// The exact size of the bitmap in the answer, or `nil` if the answer is not a bitmap.
    package let resultSize: PixelSize?
    /// The widest gamut that the bitmap may have.
    package let gamut: ColorGamut
    /// The size of the shared pixel memory in bytes.
    package let capacity: Int
    /// The length of the file in bytes. No file has more frames than bytes.
    package let fileLength: Int

    package init(
        serial: UInt64, kind: UInt32, formats: [ImageFormat], resultSize: PixelSize?, gamut: ColorGamut = .sRGB,
        capacity: Int,
        fileLength: Int
    ) {
        self.serial = serial
        self.kind = kind
        self.formats = formats
        self.resultSize = resultSize
        self.gamut = gamut
        self.capacity = capacity
        self.fileLength = fileLength
    }

    /// Checks an answer, which may consist of any bytes.
    ///
    /// - Returns: The answer, or `nil` if no intact worker would send it for this request.
    package func read(_ answer: calotype_answer) -> WorkerAnswer? {
        guard answer.serial == serial, answer.kind == kind else { return nil }
        switch Int(answer.status) {
        case CALOTYPE_ERROR: return failure(answer)
        case CALOTYPE_NOTHING: return mayBeNothing ? .nothing : nil
        case CALOTYPE_VALUE: return value(answer)
        default: return nil
        }
    }

    private var mayBeNothing: Bool {
        [CALOTYPE_HEADER, CALOTYPE_COLORS, CALOTYPE_DECODE_PART, CALOTYPE_DECODE_PREVIEW, CALOTYPE_OPEN_FRAMES]
            .contains(Int(kind))
    }

    private func value(_ answer: calotype_answer) -> WorkerAnswer? {
        switch Int(kind) {
        case CALOTYPE_HEADER: return ImageHeader(answer.header, formats: formats).map { .header($0) }
        case CALOTYPE_COLORS: return text(of: answer).map { .colors($0) }
        case CALOTYPE_DECODE, CALOTYPE_DECODE_PART, CALOTYPE_DECODE_FRAME: return bitmap(answer)
        case CALOTYPE_DECODE_PREVIEW: return preview(answer)
        case CALOTYPE_OPEN_FRAMES: return animation(answer)
        case CALOTYPE_LIST_FRAMES:
            guard answer.count > 0, answer.count <= capacity / MemoryLayout<calotype_frame>.stride else { return nil }
            return .frames(Int(answer.count))
        case CALOTYPE_TRANSCODE:
            guard answer.count > 0, answer.count <= capacity else { return nil }
            return .file(Int(answer.count))
        default: return nil
        }
    }

    private func bitmap(_ answer: calotype_answer) -> WorkerAnswer? {
        guard let size = resultSize, size.width > 0, size.height > 0, answer.width == size.width,
            answer.height == size.height, answer.stride == 4 * size.width, size.bitmapBytes <= capacity,
            answer.has_alpha < 2, let gamut = ColorGamut(messageNumber: answer.count),
            [.sRGB, self.gamut].contains(gamut)
        else { return nil }
        return .bitmap(size, hasAlpha: answer.has_alpha == 1, gamut: gamut)
    }

    private static let sides = UInt64(1)...UInt64(1 << 31)

    private func preview(_ answer: calotype_answer) -> WorkerAnswer? {
        guard case .bitmap(let size, let hasAlpha, _) = bitmap(answer), Self.sides.contains(answer.header.width),
            Self.sides.contains(answer.header.height)
        else { return nil }
        return .preview(
            size, hasAlpha: hasAlpha,
            detail: PixelSize(width: Int(answer.header.width), height: Int(answer.header.height)))
    }

    private func animation(_ answer: calotype_answer) -> WorkerAnswer? {
        let sides = Self.sides
        guard sides.contains(answer.width), sides.contains(answer.height), answer.count > 0,
            answer.count <= fileLength, (-1...Int64(UInt32.max)).contains(answer.loop_count)
        else { return nil }
        return .animation(
            canvas: PixelSize(width: Int(answer.width), height: Int(answer.height)),
            loopCount: answer.loop_count < 0 ? nil : Int(answer.loop_count), frames: Int(answer.count))
    }

    private func failure(_ answer: calotype_answer) -> WorkerAnswer? {
        guard answer.code < Self.codes.count, let message = text(of: answer) else { return nil }
        return .failure(CodecError(Self.codes[Int(answer.code)], message))
    }

    /// Returns the text of an answer with "?" in place of unprintable characters, or `nil` if its length is invalid.
    private func text(of answer: calotype_answer) -> String? {
        guard answer.text_length <= CALOTYPE_TEXT_LENGTH else { return nil }
        let text = withUnsafeBytes(of: answer.text) {
            String(decoding: $0.prefix(Int(answer.text_length)), as: UTF8.self)
        }
        return String(String.UnicodeScalarView(text.unicodeScalars.map { $0.isPrintable ? $0 : "?" }))
    }

    /// The codes that a decoder may throw, in the order of their numbers in messages.
    static let codes: [CodecError.Code] = [.damaged, .notAnImage, .tooLarge, .unsupported, .decoderFailed]
}

extension Unicode.Scalar {
    fileprivate var isPrintable: Bool {
        switch properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: false
        default: true
        }
    }
}
