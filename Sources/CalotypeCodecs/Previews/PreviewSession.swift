package import Foundation

/// The previews of one file at one size, while its bytes come.
package final class PreviewSession: Sendable {
    /// Bytes of memory that ``preview(of:)`` and ``finish(_:)`` take at their peak, what is held included.
    package var cost: Int { plan.cost }
    /// Bytes of memory that are held from the first preview to the last.
    package var heldBytes: Int { source.heldBytes }

    private let plan: DecodePlan
    private let source: any PreviewSource

    fileprivate init(_ plan: DecodePlan, _ source: any PreviewSource) {
        self.plan = plan
        self.source = source
    }

    /// Returns whether the bytes so far have something new to show. Takes next to no time.
    ///
    /// - Parameter expected: the bytes in all, where that is known.
    package func hasNews(in bytes: UnsafeRawBufferPointer, of expected: Int?) -> Bool {
        source.hasNews(in: bytes, of: expected)
    }

    /// Decodes what the bytes so far have to show; `nil` where that is nothing. By one thread at a time.
    package func preview(of data: Data) throws(CodecError) -> ImagePreview? {
        let part = try data.reading { (bytes) throws(CodecError) in
            try source.decode(bytes, scaledTo: plan.decodeSize)
        }
        guard let part else { return nil }
        return ImagePreview(
            bitmap: try plan.fit(part.bitmap), detail: part.detail, coversImage: part.coversImage)
    }

    /// Decodes the whole file from where the last preview ended, to what ``DecodePlan/decode()`` returns.
    ///
    /// - Returns: `nil` where it has to be decoded from the start.
    package func finish(_ data: Data) throws(CodecError) -> Bitmap? {
        let whole = try data.reading { (bytes) throws(CodecError) in
            try source.finish(bytes, scaledTo: plan.decodeSize)
        }
        return try whole.map { (bitmap) throws(CodecError) in try plan.fit(bitmap) }
    }
}

/// The outcome of a look at the first bytes of a file.
package enum PreviewBeginning {
    /// The header is not there yet.
    case tooEarly
    /// The file will have no previews.
    case none
    case session(PreviewSession)
}

extension DecoderRegistry {
    /// Begins to make previews of a file whose first bytes are there. Reads the header, as ``plan(for:target:limits:)`` does.
    ///
    /// - Parameter bytes: valid during the call alone.
    package func previews(
        of bytes: UnsafeRawBufferPointer, _ previews: ImagePreviews, target: ResizeTarget?, limits: DecodeLimits
    ) -> PreviewBeginning {
        // The longest of the signatures below.
        guard bytes.count >= 12 else { return .tooEarly }
        // The other formats have no previews: their decoders need not look.
        guard previews.kind != .off, ByteReader(bytes).isOfPreviewedFormat else { return .none }
        // A copy: a decoder that was registered may keep it.
        let data = Data(bytes)
        do throws(CodecError) {
            let (decoder, header) = try recognise(data)
            guard !header.isAnimated, let decoder = decoder as? any PreviewingDecoder else { return .none }
            let plan = try plan(for: Data(), decoder, header, target: target, limits: limits)
            guard let source = try decoder.previews(of: bytes, header: header, as: previews.kind) else { return .none }
            return .session(PreviewSession(plan, source))
        } catch {
            return error.code == .damaged ? .tooEarly : .none
        }
    }
}

extension ByteReader {
    /// JPEG, PNG and WebP.
    fileprivate var isOfPreviewedFormat: Bool {
        uint16(at: 0) == 0xFFD8 || uint32(at: 0) == 0x8950_4E47 || (has("RIFF", at: 0) && has("WEBP", at: 8))
    }
}
