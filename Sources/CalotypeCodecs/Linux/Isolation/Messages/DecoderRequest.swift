import CSandbox

/// A request to a worker, without the bytes of the file.
struct DecoderRequest: Sendable {
    enum Operation: Sendable {
        case header
        case colors
        case decode(ImageHeader, DecodeSize)
        case decodePart(ImageHeader, DecodeSize)
        case decodePreview(ImageHeader, DecodeSize)
        /// Opens an animation whose frames have this gamut.
        case openFrames(ImageHeader, DecodeLimits, ColorGamut)
        /// Lists the frames of the open animation, starting with this number.
        case listFrames(from: Int)
        /// Decodes a frame of the open animation, chosen by its number, to a bitmap of this size.
        case decodeFrame(Int, PixelSize, of: ImageHeader, in: ColorGamut)
        /// Stores the file in its other form.
        case transcode(TranscodingMemory)
    }

    let decoder: StandardDecoder
    let operation: Operation

    /// The size of the bitmap that answers the request, or `nil` if the answer is not a bitmap.
    var resultSize: PixelSize? {
        switch operation {
        case .decode(_, let size), .decodePart(_, let size), .decodePreview(_, let size): size.result
        case .decodeFrame(_, let size, _, _): size
        case .header, .colors, .openFrames, .listFrames, .transcode: nil
        }
    }

    /// The widest gamut that the bitmap may have that answers the request.
    var gamut: ColorGamut {
        switch operation {
        case .decode(_, let size), .decodePart(_, let size), .decodePreview(_, let size): size.gamut
        case .decodeFrame(_, _, _, let gamut): gamut
        case .header, .colors, .openFrames, .listFrames, .transcode: .sRGB
        }
    }

    /// The size of the memory for the answer's bitmap or file, in bytes.
    var resultBytes: Int {
        if case .transcode(let memory) = operation { return memory.result }
        return resultSize?.bitmapBytes ?? 0
    }

    /// The estimated peak memory for performing the request, in bytes.
    var cost: Int {
        switch operation {
        case .decode(let header, let size), .decodePreview(let header, let size):
            decoder.decoder.workingBytes(for: header, scaledTo: size)
        case .decodePart(let header, let size):
            decoder.decoder.peakBytes(for: header, scaledTo: size, acceptsPartialImages: true)
        case .openFrames(let header, _, _):
            decoder.decoder.workingBytes(for: header, scaledTo: DecodeSize(header.uprightSize, of: header.uprightSize))
        case .decodeFrame(_, let size, let header, _):
            3 * size.bitmapBytes + AnimationMemory.codecBytes(for: header) + Self.headerBytes
        case .transcode(let memory): memory.working + 2 * memory.result
        case .header, .colors, .listFrames: Self.headerBytes
        }
    }

    /// The maximum memory that libraries need to parse a header, in bytes.
    private static let headerBytes = 32 << 20

    var kind: UInt32 {
        let kind =
            switch operation {
            case .header: CALOTYPE_HEADER
            case .colors: CALOTYPE_COLORS
            case .decode: CALOTYPE_DECODE
            case .decodePart: CALOTYPE_DECODE_PART
            case .decodePreview: CALOTYPE_DECODE_PREVIEW
            case .openFrames: CALOTYPE_OPEN_FRAMES
            case .listFrames: CALOTYPE_LIST_FRAMES
            case .decodeFrame: CALOTYPE_DECODE_FRAME
            case .transcode: CALOTYPE_TRANSCODE
            }
        return UInt32(kind)
    }

    func message(serial: UInt64, length: Int) -> calotype_request {
        var message = calotype_request()
        message.serial = serial
        message.kind = kind
        message.decoder = decoder.number
        message.input_length = UInt64(length)
        switch operation {
        case .decode(let header, let size), .decodePart(let header, let size), .decodePreview(let header, let size):
            message.header = calotype_header(header)
            message.result_width = UInt64(size.result.width)
            message.result_height = UInt64(size.result.height)
            message.least_width = UInt64(size.least.width)
            message.least_height = UInt64(size.least.height)
            write(size.filter.rawValue, to: &message.filter)
            message.number = size.gamut.messageNumber
        case .openFrames(let header, let limits, let gamut):
            message.header = calotype_header(header)
            message.max_pixels = Int64(limits.maxPixels)
            message.max_dimension = Int64(limits.maxDimension)
            message.max_decode_bytes = Int64(limits.maxDecodeBytes)
            message.max_frames = Int64(limits.maxFrames)
            message.number = gamut.messageNumber
        case .listFrames(let number): message.number = UInt64(number)
        case .decodeFrame(let number, _, _, _): message.number = UInt64(number)
        case .transcode(let memory): message.number = UInt64(memory.result)
        case .header, .colors: break
        }
        return message
    }
}

extension DecodeSize {
    init(_ message: calotype_request) {
        self.init(
            result: PixelSize(width: Int(clamping: message.result_width), height: Int(clamping: message.result_height)),
            least: PixelSize(width: Int(clamping: message.least_width), height: Int(clamping: message.least_height)),
            filter: ResizeFilter(rawValue: text(in: message.filter)),
            gamut: ColorGamut(messageNumber: message.number) ?? .sRGB)
    }
}

/// The number of a decode's request is its widest gamut's, that of the request to open frames is theirs, and the count of an answer is
/// the bitmap's.
extension ColorGamut {
    /// Returns `nil` for a number that no gamut has.
    init?(messageNumber number: UInt64) {
        switch number {
        case 0: self = .sRGB
        case 1: self = .displayP3
        default: return nil
        }
    }

    var messageNumber: UInt64 { self == .displayP3 ? 1 : 0 }
}

extension DecodeLimits {
    init(_ message: calotype_request) {
        self.init()
        maxPixels = Int(message.max_pixels)
        maxDimension = Int(message.max_dimension)
        maxDecodeBytes = Int(message.max_decode_bytes)
        maxFrames = Int(message.max_frames)
    }
}
