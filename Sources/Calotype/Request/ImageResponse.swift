import CalotypeBase
public import CalotypeCodecs
public import CalotypeHTTP
public import Foundation

/// An image and its origin.
public struct ImageResponse: Sendable {
    /// The decoded image.
    public var bitmap: Bitmap { parts.value.bitmap }
    /// The layer that the image came from.
    public var origin: Origin { parts.value.origin }
    /// The age of a response from the web (RFC 9111 §4.2.3), when the loader received it.
    public var age: Duration? { provenance?.age }
    /// The entity tag of a response from the web, or else its Last-Modified date.
    public var validator: ByteString? { provenance?.outcome.validator }
    /// Whether the image belongs to a user whom its key does not identify, so that memory caches must not keep it.
    package var isPersonal: Bool { parts.value.isPersonal || provenance?.isPersonal == true }
    package var cacheDecision: CacheDecisionReport? { provenance?.decision }
    var provenance: Provenance? { parts.value.provenance }
    /// The identity of the bytes that the image was made of.
    var identity: BodyIdentity? { parts.value.identity }
    /// The cost of making the image, or `nil` if it was not measured.
    var work: LoadWork? {
        get { parts.value.work }
        set { parts.value.work = newValue }
    }
    /// Whether the load has stored the image in memory. A load that makes the image only as an intermediate result does
    /// not. A request that joined that load to get this image stores it itself.
    var isRemembered: Bool {
        get { parts.value.isRemembered }
        set { parts.value.isRemembered = newValue }
    }
    /// The other frames of an animation, or the file that contains them; `nil` for a still image, or if the animation
    /// has to be loaded again to get them.
    var motion: Motion? {
        get { parts.value.motion }
        set { parts.value.motion = newValue }
    }
    /// The memory reserved for the bitmap and the work that may follow, until the bitmap is encoded or handed out. `nil`
    /// for a bitmap that has not just been made, and for a tiny one.
    var reservation: PoolReservation? { parts.value.reservation }
    /// For a preview, the size at which the upright image has as much detail; otherwise `nil`.
    var detail: PixelSize? { parts.value.detail }

    private var parts: CopyOnWrite<Parts>

    private struct Parts: Sendable {
        let bitmap: Bitmap
        let origin: Origin
        let provenance: Provenance?
        let identity: BodyIdentity?
        var work: LoadWork?
        var isRemembered: Bool
        var motion: Motion?
        let detail: PixelSize?
        let isPersonal: Bool
        var reservation: PoolReservation?
    }

    init(
        bitmap: Bitmap, origin: Origin, provenance: Provenance? = nil, identity: BodyIdentity? = nil,
        work: LoadWork? = nil, isRemembered: Bool = false, motion: Motion? = nil, detail: PixelSize? = nil,
        isPersonal: Bool = false, reservation: PoolReservation? = nil
    ) {
        parts = CopyOnWrite(
            Parts(
                bitmap: bitmap, origin: origin, provenance: provenance, identity: identity, work: work,
                isRemembered: isRemembered, motion: motion, detail: detail, isPersonal: isPersonal,
                reservation: reservation))
    }

    /// The memory that the image occupies, in bytes.
    var cost: Int { bitmap.byteCount + (motion?.byteCount ?? 0) }

    /// Where an image came from and, for the disk store, whether the response was fresh, revalidated or stale.
    public struct Origin: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        public let rawValue: String

        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The memory cache.
        public static let memory = Origin(rawValue: "memory")
        /// The disk store, with a fresh response.
        public static let disk = Origin(rawValue: "disk")
        /// The disk store, with a response that the origin has confirmed (304).
        public static let revalidated = Origin(rawValue: "revalidated")
        /// The disk store, with a stale response: it is being revalidated, its origin server is unreachable, or the
        /// request's policy accepts any age.
        public static let stale = Origin(rawValue: "stale")
        /// The origin server.
        public static let network = Origin(rawValue: "network")
        /// A `file:` or `data:` URL, or a custom source.
        public static let source = Origin(rawValue: "source")

        public var description: String { rawValue }
    }
}

extension ImageResponse {
    init(_ bitmap: Bitmap, of original: Original, _ reservation: PoolReservation? = nil) {
        self.init(
            bitmap: bitmap, origin: original.origin, provenance: original.provenance, identity: original.identity,
            reservation: reservation)
    }

    /// The response for a caller that may keep the bitmap: it ends the reservation.
    var handedOut: ImageResponse {
        guard reservation != nil else { return self }
        var response = self
        response.parts.value.reservation = nil
        return response
    }

    /// The file of an animation, if the load has kept it.
    package var motionFile: Data? {
        guard case .file(let file) = motion else { return nil }
        return file
    }

    /// The response as the memory cache stores it for later requests.
    var inMemory: ImageResponse {
        ImageResponse(
            bitmap: bitmap, origin: .memory, provenance: provenance, identity: identity, isRemembered: true,
            motion: motion)
    }

    /// Returns the response confirmed by the original, or `nil` if it was made of other bytes.
    func confirmed(by original: Original) -> ImageResponse? {
        guard let made = identity?.text, made == original.identity?.text else { return nil }
        var response = ImageResponse(bitmap, of: original)
        response.motion = motion
        return response
    }

    func with(_ bitmap: Bitmap, work: LoadWork?, _ reservation: PoolReservation) -> ImageResponse {
        ImageResponse(
            bitmap: bitmap.declaring(isFirstFrame: self.bitmap.isFirstFrame), origin: origin, provenance: provenance,
            identity: identity, work: work, motion: motion, isPersonal: isPersonal, reservation: reservation)
    }
}

/// The parts of an animation in memory besides its first frame.
indirect enum Motion: Sendable {
    /// The encoded bytes, which the disk store does not have.
    case file(Data)
    case frames(AnimatedImage)

    var byteCount: Int {
        switch self {
        case .file(let data): data.count
        case .frames(let animation): animation.byteCount
        }
    }
}

/// The undecoded bytes of an image, with the response that delivered them.
public struct DataResponse: Sendable {
    /// The undecoded bytes.
    public let data: Data
    /// The layer that returned the bytes.
    public let origin: ImageResponse.Origin
    package var cacheDecision: CacheDecisionReport? { provenance?.decision }
    let head: StoredHead
    let provenance: Provenance?
    let identity: BodyIdentity?

    /// The URL of the bytes after redirects, or `nil` for a source without a URL.
    public var url: URL? { head.url.isEmpty ? nil : URL(text: head.url) }
    /// The status code of the response; 200 for a source that is not on the web.
    public var status: Int { head.status }
    /// The header fields of the response.
    public var fields: HTTPFields { head.fields }
    /// The age of the response (RFC 9111 §4.2.3), if it came from the web.
    public var age: Duration? { provenance?.age }
    /// The entity tag of the response or else its Last-Modified date, if it came from the web.
    public var validator: ByteString? { provenance?.outcome.validator }
}

extension DataResponse {
    init(_ original: Original, _ bytes: Original.Bytes) {
        self.init(
            data: bytes.data, origin: original.origin, head: original.head, provenance: original.provenance,
            identity: original.identity)
    }
}

/// The progress of a download.
public struct LoadProgress: Hashable, Sendable {
    /// The number of bytes received so far.
    public let received: Int
    /// The length of the whole body in bytes, or `nil` if the server does not state it.
    public let expected: Int?

    /// Creates a progress value.
    public init(received: Int, expected: Int?) {
        self.received = received
        self.expected = expected
    }
}

package struct CacheDecisionReport: Sendable {
    package let outcome: CacheOutcome
    /// The value of Cache-Status (RFC 9211), whose last member is the loader's cache; `nil` without a cache.
    package let status: ByteString?
}

/// The freshness, Cache-Status and arrival time of a response from the web. A class, so that copies are references.
final class Provenance: Sendable {
    let decision: CacheDecisionReport
    /// The redirects that led to the response, in their order.
    private let redirects: [RedirectOutcome]
    private let memory: ImageFreshness
    /// The time at which the response arrived, in seconds since 1970.
    private let receivedAt: Double
    /// Whether the response was requested for a user whom the loader's keys do not identify.
    let isPersonal: Bool
    /// Whether the response has a status of 400 or more, although the request accepts it.
    let isFailure: Bool

    var outcome: CacheOutcome { decision.outcome }
    var isRedirected: Bool { !redirects.isEmpty }
    /// The outcome with the freshness of the response and of the redirects that led to it.
    var chain: CacheOutcome { outcome.limited(by: redirects) }
    /// Within the range of `Duration`, because a program's own store may return any times.
    var age: Duration { .seconds(min(max(0, outcome.age), 1e12)) }

    /// - Parameter assumed: The time for which memory takes a response without a lifetime for fresh.
    init(
        _ outcome: CacheOutcome, status code: Int, cacheStatus: ByteString? = nil,
        after redirects: [RedirectOutcome] = [],
        isPersonal: Bool, assuming assumed: Duration?, receivedAt now: Double
    ) {
        decision = CacheDecisionReport(outcome: outcome, status: cacheStatus)
        self.redirects = redirects
        self.isPersonal = isPersonal
        isFailure = code >= 400
        receivedAt = now
        let assumed = assumed.map { $0 / .seconds(1) } ?? .infinity
        memory = redirects.reduce(ImageFreshness(of: outcome, status: code, assumed: assumed, now: now)) {
            $0.limited(by: ImageFreshness(of: $1.outcome, status: $1.status, assumed: assumed, now: now))
        }
    }

    /// Returns whether memory may show the image without revalidation.
    func isFresh(at now: Double) -> Bool { isWithin(memory.freshUntil, now) }
    /// Returns whether memory may show the image during its revalidation.
    func isUsable(at now: Double) -> Bool { isWithin(memory.usableUntil, now) }

    /// Returns whether `now` is before `end`. `false` if the clock is over 1 s behind the arrival of the response: the
    /// clock was set back, and the response's age is unknown. Usual corrections are smaller.
    private func isWithin(_ end: Double, _ now: Double) -> Bool { now < end && now >= receivedAt - 1 }
}
