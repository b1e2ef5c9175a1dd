public import Foundation

/// An ordered list of decoders. The last one registered is tried first.
///
/// The registry is a value: changing a copy does not affect others. Configure it before passing it to a loader.
///
/// ```swift
/// var decoders = DecoderRegistry.standard
/// decoders.register(FarbfeldDecoder())
/// let bitmap = try decoders.decode(data, target: ResizeTarget(width: 400))
/// ```
public struct DecoderRegistry: Sendable {
    private var entries: [(id: UUID, decoder: any ImageDecoder)] = []

    /// Creates a registry that tries `decoders` from the last to the first.
    public init(_ decoders: [any ImageDecoder] = []) {
        for decoder in decoders { register(decoder) }
    }

    /// Adds a decoder, which is tried before those registered earlier.
    ///
    /// - Returns: An identifier of this registration, for ``unregister(_:)``.
    @discardableResult
    public mutating func register(_ decoder: any ImageDecoder) -> UUID {
        let id = UUID()
        entries.append((id, decoder))
        return id
    }

    /// Removes a registered decoder. Does nothing if it was already removed.
    public mutating func unregister(_ registration: UUID) { entries.removeAll { $0.id == registration } }

    var decoders: some Sequence<any ImageDecoder> { entries.lazy.map(\.decoder) }

    func replacing(_ replacement: (any ImageDecoder) -> any ImageDecoder) -> DecoderRegistry {
        var registry = self
        registry.entries = entries.map { ($0.id, replacement($0.decoder)) }
        return registry
    }

    /// The value of the Accept field (RFC 9110 §12.5.1) for these decoders: their media types in the order in which the
    /// decoders are tried, then `*/*` with a lower weight.
    public var acceptField: String {
        var types: [String] = []
        for (_, decoder) in entries.reversed() {
            for type in decoder.mediaTypes where !types.contains(type) { types.append(type) }
        }
        return (types + ["*/*;q=0.5"]).joined(separator: ", ")
    }

    /// The names of the formats, such as "jpeg", in the order in which the decoders are tried.
    package var formatNames: [String] {
        var names: [String] = []
        for (_, decoder) in entries.reversed() {
            for name in Self.formatNames(of: decoder) where !names.contains(name) { names.append(name) }
        }
        return names
    }

    /// Returns the names of a decoder's formats by its media types.
    static func typeNames(of decoder: any ImageDecoder) -> [String] {
        decoder.mediaTypes.map { $0.replacing("image/", with: "").replacing("svg+xml", with: "svg") }
    }

    /// Returns whether a decoder reads files of the format's media type; of the previews in a camera's raw files, which are JPEGs.
    package func reads(_ format: ImageFormat) -> Bool {
        entries.contains { $0.decoder.mediaTypes.contains((format == .cameraRaw ? .jpeg : format).mediaType) }
    }

    /// Decodes an image on the calling thread.
    ///
    /// - Parameters:
    ///   - target: The size of the result. If `nil` (the default), the full size, reduced to fit
    ///     ``DecodeLimits/maxBitmapBytes``.
    ///   - gamut: The widest gamut that the bitmap may have. It has that gamut if more than one of 1,000 pixels are of a color
    ///     beyond sRGB. The default is sRGB.
    /// - Throws: `notAnImage` if no decoder recognizes the bytes, `unsupported` if this build lacks their format or
    ///   variant, `damaged` if they are damaged, `tooLarge` if a limit forbids the decode or memory is exhausted,
    ///   `decoderFailed` if a decoder process fails.
    public func decode(
        _ data: Data, target: ResizeTarget? = nil, gamut: ColorGamut = .sRGB, limits: DecodeLimits = DecodeLimits()
    ) throws(CodecError) -> Bitmap {
        let layout: (any ImageLayout)? = gamut == .sRGB ? target : GamutLayout(target, in: gamut)
        return try plan(for: data, target: layout, limits: limits).decode()
    }

    /// Reads the header and prepares the decode, without decoding pixels.
    ///
    /// - Parameter target: The layout of the result. If `nil` (the default), the full size, reduced to fit
    ///   ``DecodeLimits/maxBitmapBytes``.
    /// - Throws: `notAnImage` if no decoder recognizes the bytes, `unsupported` if this build lacks their format,
    ///   `damaged` if the header is damaged, `tooLarge` if a limit forbids the decode.
    package func plan(
        for data: Data, target: (any ImageLayout)? = nil, limits: DecodeLimits = DecodeLimits()
    ) throws(CodecError) -> DecodePlan {
        try DecodePlan(recognize(data), in: data, target: target, limits: limits)
    }

    /// Reads the header, and counts the frames of an animation.
    ///
    /// - Throws: `notAnImage` if no decoder recognizes the bytes, `unsupported` if this build lacks their format,
    ///   `damaged` if they are damaged, `tooLarge` if memory is exhausted, `decoderFailed` if a decoder process fails.
    public func header(of data: Data) throws(CodecError) -> ImageHeader {
        var image = try recognize(data)
        if image.header.frameCount == nil { try image.countFrames(limit: .max) }
        return image.header
    }

    /// Reads the header, and counts the frames of an animation unless there are more than `frameLimit`, or memory is
    /// exhausted while they are counted.
    package func header(of data: Data, frameLimit: Int) throws(CodecError) -> ImageHeader {
        var image = try recognize(data)
        guard image.header.frameCount == nil else { return image.header }
        do throws(CodecError) {
            try image.countFrames(limit: frameLimit)
        } catch {
            guard error.code == .tooLarge else { throw error }
        }
        return image.header
    }

    /// Returns the name of the file's color space, or `nil` if the name is unknown or the file cannot be read.
    package func colors(of data: Data) -> String? {
        guard let image = try? recognize(data) else { return nil }
        return image.decoder.colors(of: image.file)
    }

    /// Finds the decoder of a file. A program's decoder may develop raw files, so each decoder sees them before their previews
    /// are looked for.
    func recognize(_ data: Data) throws(CodecError) -> RecognizedImage {
        for (_, decoder) in entries.reversed() {
            if let header = try decoder.header(of: data) {
                return RecognizedImage(decoder: decoder, header: header, file: data)
            }
        }
        if let preview = try preview(inCameraRaw: data) { return preview }
        throw data.reading { MissingFormat(ByteReader($0))?.error ?? CodecError.otherKind(ByteReader($0)) }
            ?? .unrecognized(data)
    }
}

extension RecognizedImage {
    fileprivate mutating func countFrames(limit: Int) throws(CodecError) {
        guard let decoder = decoder as? any AnimationDecoder else { return }
        var limits = DecodeLimits()
        limits.maxFrames = limit
        let frames = try decoder.openFrames(of: file, header: header, limits: limits, gamut: .sRGB)
        guard let index = frames?.index else { return }
        (header.frameCount, header.duration) = (index.frames.count, index.duration)
    }
}

extension CodecError {
    /// Returns an error that quotes the first bytes, because an error page in place of an image is the usual cause.
    fileprivate static func unrecognized(_ data: Data) -> CodecError {
        guard !data.isEmpty else { return CodecError(.notAnImage, "not an image: there are no bytes") }
        let start = data.prefix(24)
        let isText = start.allSatisfy { (0x20...0x7E).contains($0) || [0x09, 0x0A, 0x0D].contains($0) }
        let seen =
            isText
            ? "'\(String(decoding: start, as: UTF8.self).split(whereSeparator: \.isWhitespace).joined(separator: " "))'"
            : start.prefix(8).map { String(format: "%02x", $0) }.joined(separator: " ")
        return CodecError(.notAnImage, "not an image of any known format: \(data.count) bytes that begin with \(seen)")
    }
}
