package import Foundation

/// A decoder of the previews of one file at one size, used while the file is being downloaded.
package final class PreviewSession: Sendable {
    /// The peak memory of ``preview(of:)`` in bytes, including ``heldBytes``.
    package var cost: Int { plan.cost + heldBytes }
    /// The memory in bytes that the session holds from the first preview to the last.
    package var heldBytes: Int { source.heldBytes }

    private let plan: DecodePlan
    private let source: any PreviewSource

    fileprivate init(_ plan: DecodePlan, _ source: any PreviewSource) {
        self.plan = plan
        self.source = source
    }

    /// Decodes a preview, or returns `nil` if the bytes contain no new detail. Call this on one thread at a time.
    package func preview(of data: Data) throws(CodecError) -> ImagePreview? {
        let part = try data.reading { (bytes) throws(CodecError) in
            try source.decode(bytes, scaledTo: plan.decodeSize)
        }
        guard let part else { return nil }
        return ImagePreview(bitmap: try plan.fit(part.bitmap), detail: part.detail)
    }
}

/// The result of an attempt to start previews from the first bytes of a file.
package enum PreviewBeginning: Sendable {
    /// The header is incomplete or damaged.
    case tooEarly
    /// The file has no previews, or cannot be decoded.
    case none
    /// A worker process has to read the header, for which the caller must be on a thread that may block.
    case inWorker
    case session(PreviewSession)
}

extension DecoderRegistry {
    /// Starts the previews of a file from its first bytes. Reads the header like ``plan(for:target:limits:)``.
    ///
    /// - Parameters:
    ///   - bytes: The first bytes. Valid only during the call.
    ///   - mayBlock: Whether the call may wait for a worker process. If `false` (the default), the beginning of a file whose
    ///     header a worker reads is ``PreviewBeginning/inWorker``.
    package func previews(
        of bytes: UnsafeRawBufferPointer, target: (any ImageLayout)?, limits: DecodeLimits, mayBlock: Bool = false
    ) -> PreviewBeginning {
        // Two bytes identify a JPEG, four a PNG.
        guard bytes.count >= 4 else { return .tooEarly }
        // Only JPEG, PNG and JPEG XL files have previews: skip the decoders of other formats.
        let start = ByteReader(bytes)
        guard start.uint16(at: 0) == 0xFFD8 || start.uint32(at: 0) == 0x8950_4E47 || start.isJPEGXL else {
            return .none
        }
        // Copy the bytes, because a registered decoder may keep the data after this call.
        let data = Data(bytes)
        if readsHeaderInWorker(data), !mayBlock { return previewsInWorker(data) ? .inWorker : .none }
        do throws(CodecError) {
            let image = try recognize(data)
            guard !image.header.isAnimated, let decoder = image.decoder as? any PreviewingDecoder else { return .none }
            let beginning = RecognizedImage(decoder: decoder, header: image.header, file: Data())
            let plan = try DecodePlan(beginning, in: Data(), target: target, limits: limits)
            guard let source = try decoder.previews(of: bytes, header: image.header) else { return .none }
            return .session(PreviewSession(plan, source))
        } catch {
            return error.code == .damaged ? .tooEarly : .none
        }
    }
}
