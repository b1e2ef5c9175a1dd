import CalotypeBase
import CalotypeCodecs
import CalotypeHTTP
import CalotypeMemory
import Foundation

/// A request in the pipeline: its keys, its source and the steps of the image that it makes.
///
/// An object, because each stage holds it while it waits: one word in the stage's frame instead of a few hundred bytes.
final class Job: Sendable {
    let request: ImageRequest
    let source: any OriginalSource
    /// The key of the image after `steps`.
    let image: CacheKey
    /// The size of the image, or `nil` for the full size.
    let layout: (any ImageLayout)?
    let steps: ArraySlice<any ImageStep>
    /// The identity of the bytes that the image must be made of, or `nil` if any bytes of the source will do.
    let madeOf: ByteString?
    /// Whether a caller asked for this image. If not, it is an intermediate result.
    let isFinal: Bool
    /// Whether the load revalidates the image even if it is fresh in memory or on disk.
    let isConfirming: Bool
    /// The memory of encoding the request's image, or `nil` if its caller gets the bitmap.
    let encoding: EncodingMemory?
    /// Whether the load keeps the file of an animation, for a caller that needs all frames.
    let keepsMotion: Bool
    /// The terms of the caller for worker processes. If `nil`, they follow from the request's deadline.
    let terms: DecodeTerms?
    /// Called when the decode starts, on its thread.
    let onStart: (@Sendable () -> Void)?
    let mark: Revocations.Mark
    /// All steps of the request, of which `steps` are the first.
    private let allSteps: [any ImageStep]
    private let keys: ImageKeys
    private let stopwatch: Stopwatch?
    private let unique: UInt64

    /// - Parameters:
    ///   - stopwatch: `nil` if nothing is measured.
    ///   - unique: A number that differs between requests that may not share work.
    init(
        _ request: ImageRequest, _ keys: ImageKeys, _ source: any OriginalSource, _ mark: Revocations.Mark,
        encoding: EncodingMemory?, stopwatch: Stopwatch?, unique: UInt64
    ) {
        self.request = request
        self.keys = keys
        self.source = source
        self.mark = mark
        self.stopwatch = stopwatch
        self.unique = unique
        image = keys.image
        layout = request.layout
        steps = request.steps[...]
        madeOf = nil
        isFinal = true
        isConfirming = false
        keepsMotion = false
        (terms, onStart) = (nil, nil)
        allSteps = request.steps
        self.encoding = encoding
    }

    /// Creates a job of the same request for another image, or for a confirmation by the origin.
    private init(
        _ job: Job, _ keys: ImageKeys, _ image: CacheKey, _ layout: (any ImageLayout)?,
        _ steps: ArraySlice<any ImageStep>, of allSteps: [any ImageStep]? = nil, madeOf bytes: ByteString?,
        isFinal: Bool, isConfirming: Bool, keepsMotion: Bool? = nil, encoding: EncodingMemory? = nil,
        terms: DecodeTerms? = nil, onStart: (@Sendable () -> Void)? = nil
    ) {
        request = job.request
        source = job.source
        mark = job.mark
        stopwatch = job.stopwatch
        unique = job.unique
        self.keys = keys
        self.image = image
        self.layout = layout
        self.steps = steps
        madeOf = bytes
        self.isFinal = isFinal
        self.isConfirming = isConfirming
        self.keepsMotion = keepsMotion ?? job.keepsMotion
        self.terms = terms ?? job.terms
        self.onStart = onStart ?? job.onStart
        self.allSteps = allSteps ?? job.allSteps
        self.encoding = encoding ?? job.encoding
    }

    var sourceKey: ByteString { keys.source }
    var url: URL? { request.source.url }
    /// `true` if an image in memory may be used only after the HTTP cache or the origin has confirmed it.
    var needsConfirmation: Bool { keys.needsConfirmation }

    var confirming: Job {
        Job(self, keys, image, layout, steps, madeOf: madeOf, isFinal: isFinal, isConfirming: true)
    }

    func making(
        of bytes: ByteString, _ layout: (any ImageLayout)?, _ steps: [any ImageStep], _ encoding: EncodingMemory? = nil,
        terms: DecodeTerms? = nil, onStart: (@Sendable () -> Void)? = nil
    ) -> Job {
        let keys = ImageKeys(keys, madeOf: bytes, layout, steps)
        return Job(
            self, keys, keys.image, layout, steps[...], of: steps, madeOf: bytes, isFinal: true, isConfirming: false,
            keepsMotion: true, encoding: encoding, terms: terms, onStart: onStart)
    }

    var beforeLastStep: Job { before(steps.dropLast()) }

    var beforeSteps: Job { steps.isEmpty ? self : before([]) }

    private func before(_ earlier: ArraySlice<any ImageStep>) -> Job {
        let image = ImageKeys.image(keys.base, layout, earlier)
        return Job(self, keys, image, layout, earlier, madeOf: madeOf, isFinal: false, isConfirming: isConfirming)
    }

    /// The work that the request does on this image.
    ///
    /// - Parameter storing: Whether the loader stores processed images.
    func laterWork(storing: Bool) -> LaterWork {
        LaterWork(
            steps: allSteps[steps.endIndex...], encoding: encoding,
            isStored: storing && request.caching.contains(.writeDisk))
    }

    /// Whether the request asks for the plain original: no size, no steps.
    var isPlain: Bool { layout == nil && request.steps.isEmpty }

    /// Whether the image is the original: at full size, before all steps.
    var isOriginal: Bool { layout == nil && steps.isEmpty }

    /// Returns whether a later request can find the image in memory. It cannot if the image is made of a given original
    /// without an identity, because the key is then unique.
    func isFindable(_ response: ImageResponse) -> Bool { madeOf == nil || response.identity?.text != nil }

    /// Waits for the caller's turn, if it has one.
    func takeTurn() async throws(CodecError) {
        do throws(Interruption) { try await terms?.turn?.take() } catch {
            throw error == .overloaded ? .overloaded : .cancelled
        }
    }

    /// The terms of work that starts now in a worker process.
    var decodeTerms: DecodeTerms { terms ?? DecodeTerms(within: request.deadline) }

    /// The time since the request was made, or `nil` if nothing is measured.
    var elapsed: Duration? { stopwatch?.elapsed() }

    var imageFlight: ImageFlightKey {
        ImageFlightKey(
            image: image, policy: request.rules, caching: request.caching, isConfirming: isConfirming,
            directives: keys.directives, unique: unique)
    }

    /// - Parameters:
    ///   - usesStore: `false` if there is no store.
    ///   - skipsDisk: `true` if the stored original is unusable.
    func originalFlight(usesStore: Bool = true, skipsDisk: Bool = false) -> OriginalFlightKey {
        OriginalFlightKey(
            source: sourceKey, policy: request.rules, readsDisk: usesStore && request.readsDisk && !skipsDisk,
            isConfirming: usesStore && isConfirming,
            directives: keys.directives, unique: unique)
    }
}

/// The key by which concurrent requests share one image. They must use the same caches under the same policy.
struct ImageFlightKey: Hashable, Sendable {
    let image: CacheKey
    let policy: CachePolicy
    let caching: ImageRequest.Caching
    var isConfirming = false
    /// The request's fields that require a certain freshness, such as `Cache-Control: no-cache`, and its network
    /// options `waitsForConnectivity` and `lowDataSource`.
    let directives: ByteString
    let unique: UInt64
}

/// The key by which requests share an original, independent of their sizes, their steps and the caches they write.
struct OriginalFlightKey: Hashable, Sendable {
    let source: ByteString
    let policy: CachePolicy
    var readsDisk: Bool
    /// Whether even a fresh stored response is revalidated.
    let isConfirming: Bool
    let directives: ByteString
    let unique: UInt64

    /// The key by which requests share a download, whether or not they read the store first.
    var ofDownload: OriginalFlightKey {
        var key = self
        key.readsDisk = true
        return key
    }
}

typealias ImageFlights = Coordinator<ImageFlightKey, LoadUpdate, ImageResponse, ImageError>
typealias OriginalFlights = Coordinator<OriginalFlightKey, LoadUpdate, Original, ImageError>
typealias BodyFlights = Coordinator<BodyFlightKey, LoadUpdate, Original.Bytes, ImageError>

/// The key by which requests share one read of a body: the bytes' identity or, without it, the original's object.
enum BodyFlightKey: Hashable, Sendable {
    case identity(ByteString)
    case original(ObjectIdentifier)

    init(_ original: Original) {
        self = original.identity?.text.map { .identity($0) } ?? .original(ObjectIdentifier(original))
    }
}
