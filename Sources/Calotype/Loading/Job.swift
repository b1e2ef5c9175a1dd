import CalotypeCodecs
import CalotypeConcurrency
import CalotypeHTTP
import CalotypeMemory
import Foundation
import ResourceProvider

/// A request on its way down: what is wanted, by which keys, and how many of its steps are still to be done.
///
/// An object, because each stage holds it while it waits: one word in the stage's frame, not a few hundred bytes.
final class Job: Sendable {
    let request: ImageRequest
    /// The image after `steps`.
    let image: CacheKey
    let steps: ArraySlice<any ImageStep>
    /// A Boolean value indicating whether somebody asked for just this image, rather than for one that is made from it.
    let isFinal: Bool
    /// A Boolean value indicating whether the origin is asked even though memory may show the image.
    let isConfirming: Bool
    /// How often the source had been removed when the request came.
    let removals: UInt64
    /// How often all loads had been cancelled when the request came.
    let cancellations: Int
    private let keys: ImageKeys
    private let hasStore: Bool
    private let unique: UInt64

    /// - Parameters:
    ///   - hasStore: Whether there is a disk store: without one, requests that read it and those that do not are alike.
    ///   - unique: Different for requests that may not share work.
    init(
        _ request: ImageRequest, _ keys: ImageKeys, hasStore: Bool, removals: UInt64, cancellations: Int, unique: UInt64
    ) {
        self.request = request
        self.keys = keys
        image = keys.image
        steps = request.steps[...]
        isFinal = true
        isConfirming = false
        self.hasStore = hasStore
        self.removals = removals
        self.cancellations = cancellations
        self.unique = unique
    }

    /// The same request, for an image on the way or for the origin's word.
    private init(
        _ job: Job, _ image: CacheKey, _ steps: ArraySlice<any ImageStep>, isFinal: Bool, isConfirming: Bool
    ) {
        request = job.request
        keys = job.keys
        self.image = image
        self.steps = steps
        self.isFinal = isFinal
        self.isConfirming = isConfirming
        hasStore = job.hasStore
        removals = job.removals
        cancellations = job.cancellations
        unique = job.unique
    }

    var source: ByteString { keys.source }
    /// A Boolean value indicating whether the request lets nothing answer before its origin has confirmed it.
    var needsConfirmation: Bool { keys.needsConfirmation }

    /// The same image, confirmed or replaced by its origin.
    var confirming: Job { Job(self, image, steps, isFinal: isFinal, isConfirming: true) }

    /// The image that the last step starts from.
    var beforeLastStep: Job { before(steps.dropLast()) }

    /// The image that the first step starts from.
    var beforeSteps: Job { steps.isEmpty ? self : before([]) }

    private func before(_ earlier: ArraySlice<any ImageStep>) -> Job {
        let image = ImageKeys.image(source, request.size, earlier)
        return Job(self, image, earlier, isFinal: false, isConfirming: isConfirming)
    }

    var imageFlight: ImageFlightKey {
        ImageFlightKey(
            image: image, policy: request.rules, caching: request.caching, isConfirming: isConfirming,
            directives: keys.directives, unique: unique)
    }

    func originalFlight(ignoringDisk: Bool = false) -> OriginalFlightKey {
        OriginalFlightKey(
            source: source, policy: request.rules, readsDisk: hasStore && request.readsDisk && !ignoringDisk,
            isConfirming: isConfirming, directives: keys.directives, unique: unique)
    }

    /// A Boolean value indicating whether the caller wants nothing but the original: no size, no steps.
    var isPlain: Bool { request.size == nil && request.steps.isEmpty }

    /// A Boolean value indicating whether the bytes are shown as they came, at full size and with nothing done to them.
    var isOriginal: Bool { request.size == nil && steps.isEmpty }
}

/// Requests that may share a finished image. Those that read other caches, or by another policy, may not.
struct ImageFlightKey: Hashable, Sendable {
    let image: CacheKey
    let policy: CachePolicy
    let caching: ImageRequest.Caching
    var isConfirming = false
    /// The request's Cache-Control: `no-cache` does not accept what another request finds stored.
    let directives: ByteString
    let unique: UInt64
}

/// Requests that may share their bytes: whatever they do with them, and wherever they keep the result.
struct OriginalFlightKey: Hashable, Sendable {
    let source: ByteString
    let policy: CachePolicy
    let readsDisk: Bool
    /// A Boolean value indicating whether the origin is asked even where what is stored would do.
    let isConfirming: Bool
    let directives: ByteString
    let unique: UInt64

    /// The same for all that share a download, whether they read the store first or not.
    var ofDownload: OriginalFlightKey {
        OriginalFlightKey(
            source: source, policy: policy, readsDisk: true, isConfirming: isConfirming, directives: directives,
            unique: unique)
    }
}

typealias ImageFlights = Coordinator<ImageFlightKey, LoadUpdate, ImageResponse, ImageError>
typealias OriginalFlights = Coordinator<OriginalFlightKey, LoadUpdate, Original, ImageError>
typealias BodyFlights = Coordinator<BodyFlightKey, LoadUpdate, Original.Bytes, ImageError>

/// Originals whose stored bodies may be read once for all: by identity, or just this one.
enum BodyFlightKey: Hashable, Sendable {
    case identity(ByteString)
    case original(ObjectIdentifier)
}
