package import CalotypeCodecs
public import CalotypeBase
public import CalotypeHTTP
public import Foundation

/// An original (an undecoded image) whose header fields and identity are known, while its body may still be unread.
///
/// A server sets the validator and the lifetime of its own response by those of the original, before it decodes a
/// pixel. The memory cache finds images by the original's identity, even if the original's response is no longer fresh.
///
/// An original that has not been stored holds its bytes, within ``ImageLoaderOptions/undecodedBytes``, until an image or the
/// bytes are made of it, or until it is released.
public final class ImageOriginal: Sendable {
    let job: Job
    private let head: StoredHead
    private let provenance: Provenance?
    /// The original, which may hold bytes; `nil` once an image or the bytes have been requested from it.
    private let held: Locked<Original?>

    init(_ original: Original, _ job: Job) {
        self.job = job
        head = original.head
        provenance = original.provenance
        origin = original.origin
        identity = original.identity?.text
        held = Locked(original)
    }

    /// Where the original came from.
    public let origin: ImageResponse.Origin
    /// A text that differs if the bytes do, or `nil` if they are not stored, for example because the response forbids it.
    public let identity: ByteString?
    /// The status of the response; 200 for a source that is not on the web.
    public var status: Int { head.status }
    /// The header fields of the response; empty for a source that is not on the web.
    public var fields: HTTPFields { head.fields }
    /// The time until which the original may be used without asking its server again, by the least of all responses that led
    /// to it; `nil` if each use must ask, and for a source that is not on the web.
    public var freshUntil: Date? { freshness?.freshUntil.map(Date.init(timeIntervalSince1970:)) }
    /// The freshness of a response from the web and of the redirects that led to it, or `nil` for another source.
    package var freshness: CacheOutcome? { provenance?.chain }
    /// Whether redirects led to the response, so that ``freshness`` may end before that of its fields.
    package var isRedirected: Bool { provenance?.isRedirected == true }

    func take() -> Original? { held.withLock { $0.take() } }

    /// Gives the bytes up, which another original of the same bytes has.
    package func release() { held.withLock { $0 = nil } }
}

extension ImageLoader {
    /// Loads an original. Reads the body only if the body is not stored already.
    ///
    /// The size and the steps of the request have no effect.
    ///
    /// - Throws: The errors of ``data(for:)``.
    public func original(for request: ImageRequest) async throws(ImageError) -> ImageOriginal {
        try revocations.checkIsValid()
        return try await attempts.withDeadline(of: complete(request)) {
            [attempts, pipeline] (request) throws(ImageError) in
            try await attempts.firstResult(request, decodes: false, pipeline.original)
        }
    }

    /// Returns an image of exactly this original, from memory or newly made.
    ///
    /// Keeps the file of an animation in the response, and the reservation of the bitmap: do nothing with the response but
    /// ``work(on:cost:_:)``, and then release it.
    ///
    /// - Parameters:
    ///   - layout: The size; `nil` for the full size, scaled down to fit `DecodeLimits.maxBitmapBytes`.
    ///   - encoding: The memory of encoding the image.
    ///   - terms: What the caller allows to worker processes. If `nil` (the default), the request's deadline applies.
    ///   - onStart: Called when the decode starts, on its thread.
    /// - Throws: `superseded` if the original was removed or replaced: load it again.
    package func image(
        of original: ImageOriginal, layout: (any ImageLayout)? = nil, steps: [any ImageStep] = [],
        encoding: EncodingMemory? = nil, terms: DecodeTerms? = nil, onStart: (@Sendable () -> Void)? = nil
    ) async throws(ImageError) -> ImageResponse {
        try revocations.checkIsValid()
        return try await pipeline.image(of: original, layout, steps, encoding, terms: terms, onStart: onStart)
    }

    /// Runs work on an image on the codec threads, within the image's reservation.
    ///
    /// - Parameter cost: The peak memory of the work in bytes, including the bitmap.
    package func work<Result: Sendable>(
        on image: ImageResponse, cost: Int, _ body: @escaping @Sendable () throws(CodecError) -> Result
    ) async throws(ImageError) -> Result {
        try await pipeline.decoding.work(on: image, cost: cost, nil, body)
    }

    /// Returns the bytes of exactly this original.
    ///
    /// - Throws: `superseded` if the original was removed or replaced: load it again.
    public func data(of original: ImageOriginal) async throws(ImageError) -> Data {
        try revocations.checkIsValid()
        return try await pipeline.data(of: original).data
    }

    /// Encodes an image of exactly this original in several sizes, as ``data(for:variants:)`` does.
    ///
    /// The deadline of the original's request applies again, from this call on.
    ///
    /// - Returns: The files, in the order of `variants`.
    /// - Throws: `superseded` if the original was removed or replaced: load it again. Otherwise the errors of
    ///   ``data(for:encodedAs:)``.
    public func data(
        of original: ImageOriginal, variants: [ImageVariant]
    ) async throws(ImageError) -> [Data] {
        guard !variants.isEmpty else { return [] }
        try revocations.checkIsValid()
        return try await attempts.withDeadline(of: original.job.request) { [pipeline] _ throws(ImageError) in
            try await pipeline.encodedImages(variants, of: original).files
        }
    }

    /// Reads the header of a file on the loader's threads.
    package func header(of data: Data, under terms: DecodeTerms) async throws(ImageError) -> ImageHeader {
        try await reading(data, under: terms) { (decoders) throws(CodecError) in try decoders.header(of: data) }
    }

    /// Reads facts of a file on the loader's threads, such as those of its header.
    ///
    /// - Parameter body: Gets the decoders under these terms.
    package func reading<Result: Sendable>(
        _ data: Data, under terms: DecodeTerms,
        _ body: @escaping @Sendable (DecoderRegistry) throws(CodecError) -> Result
    ) async throws(ImageError) -> Result {
        try await pipeline.decoding.read(data, nil) { [decoders = options.decoders] () throws(CodecError) in
            try body(decoders.under(terms))
        }
    }

    /// Runs work of a codec on the loader's threads, within `decodeBudget`.
    package func onCodecThread<Result: Sendable>(
        cost: Int, _ work: @escaping @Sendable () throws(CodecError) -> Result
    ) async throws(ImageError) -> Result {
        try await pipeline.decoding.run(nil, cost: cost, work)
    }
}
