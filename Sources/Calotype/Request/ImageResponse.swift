public import CalotypeCodecs
public import CalotypeHTTP
public import Foundation

/// An image, and where it came from.
public struct ImageResponse: Sendable {
    /// The decoded image.
    public let bitmap: Bitmap
    /// The nearest layer that had it.
    public let origin: Origin
    /// Of an answer from the web: how old it is, in seconds (RFC 9111 §4.2.3), when the loader got it from there.
    public var age: Double? { provenance?.outcome.age }
    /// Of an answer from the web: its entity tag, or else its Last-Modified date.
    public var validator: ByteString? { provenance?.outcome.validator }
    /// A Boolean value indicating whether no cache in memory may keep the image, because its key does not say who asks.
    package var isPersonal: Bool { provenance?.isPersonal ?? false }
    /// What the HTTP cache decided, for an answer from the web.
    package var cacheDecision: CacheDecisionReport? { provenance?.decision }
    var provenance: Provenance?
    /// The identity of the bytes that it was made of.
    var identity: BodyIdentity?
    /// The work of making it, or `nil` if it was not measured.
    var work: LoadWork?
    /// A Boolean value indicating whether it is in memory: a request that joined a flight which needed the image only
    /// on the way stores it there.
    var isRemembered = false
    /// What the other frames can be had from without loading again.
    var motion: Motion?
    /// Of a preview: the size of the upright image that shows as much detail as it has.
    var detail: PixelSize?

    /// What it holds in memory, in bytes.
    var cost: Int { bitmap.byteCount + (motion?.byteCount ?? 0) }

    /// The layer that answered.
    public struct Origin: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        public let rawValue: String

        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The memory cache.
        public static let memory = Origin(rawValue: "memory")
        /// Stored, and fresh.
        public static let disk = Origin(rawValue: "disk")
        /// Stored; its origin was asked and says that it is still the one (304).
        public static let revalidated = Origin(rawValue: "revalidated")
        /// Stored and no longer fresh: it is being revalidated, or its origin cannot be reached, or any age would do.
        public static let stale = Origin(rawValue: "stale")
        /// The origin server.
        public static let network = Origin(rawValue: "network")
        /// A `file:` or `data:` URL, or a custom source.
        public static let source = Origin(rawValue: "source")

        public var description: String { rawValue }
    }
}

extension ImageResponse {
    init(_ bitmap: Bitmap, of original: Original) {
        self.init(
            bitmap: bitmap, origin: original.origin, provenance: original.provenance, identity: original.identity)
    }

    /// The same as the memory cache keeps it, for those who find it there.
    var inMemory: ImageResponse {
        ImageResponse(
            bitmap: bitmap, origin: .memory, provenance: provenance, identity: identity, isRemembered: true,
            motion: motion)
    }

    /// The image in memory, where it was made of these very bytes; otherwise `nil`.
    func confirmed(by original: Original) -> ImageResponse? {
        guard let made = identity?.text, made == original.identity?.text else { return nil }
        var response = ImageResponse(bitmap, of: original)
        response.motion = motion
        return response
    }

    /// Returns the response with the bitmap that a step has made of it.
    func with(_ bitmap: Bitmap, work: LoadWork?) -> ImageResponse {
        ImageResponse(
            bitmap: bitmap.declaring(isFirstFrame: self.bitmap.isFirstFrame), origin: origin, provenance: provenance,
            identity: identity, work: work, motion: motion)
    }
}

/// What memory has of an animation beside its first frame.
enum Motion: Sendable {
    /// A file that is not stored anywhere else.
    case file(Data)
    case frames(AnimatedImage)

    var byteCount: Int {
        switch self {
        case .file(let data): data.count
        case .frames(let animation): animation.byteCount
        }
    }
}

/// The bytes of an image as they came, and the response that they came with.
public struct DataResponse: Sendable {
    /// The bytes as they came.
    public let data: Data
    /// The layer that answered.
    public let origin: ImageResponse.Origin
    /// What the HTTP cache decided, for an answer from the web.
    package var cacheDecision: CacheDecisionReport? { provenance?.decision }
    let head: StoredHead
    let provenance: Provenance?
    let identity: BodyIdentity?

    /// The URL that the bytes came from, after redirects; empty for a source that has none.
    public var url: String { head.url.string }
    /// The status code of the response; 200 for a source that is not on the web.
    public var status: Int { head.status }
    /// The header fields of the response.
    public var fields: HTTPFields { head.fields }
    /// The age of the response in seconds (RFC 9111 §4.2.3), if it came from the web.
    public var age: Double? { provenance?.outcome.age }
    /// The entity tag of the response or else its Last-Modified date, if it came from the web.
    public var validator: ByteString? { provenance?.outcome.validator }
}

/// How far a download is.
public struct LoadProgress: Hashable, Sendable {
    /// Bytes so far.
    public let received: Int
    /// Bytes in all; nil where the server does not say.
    public let expected: Int?

    /// Creates a progress value.
    public init(received: Int, expected: Int?) {
        self.received = received
        self.expected = expected
    }
}

/// What an HTTP cache said of an answer.
package struct CacheDecisionReport: Sendable {
    package let outcome: CacheOutcome
    /// The value of Cache-Status (RFC 9211), whose last member is the loader's own cache; `nil` without a cache.
    package let status: ByteString?
}

/// The facts about an answer from the web. An object, so that a reference is all that is passed on.
final class Provenance: Sendable {
    let decision: CacheDecisionReport
    /// When the answer came, in seconds since 1970.
    private let receivedAt: Double
    /// A Boolean value indicating whether it was asked for in the name of a user that the loader's keys do not know.
    let isPersonal: Bool

    var outcome: CacheOutcome { decision.outcome }

    init(_ outcome: CacheOutcome, status: ByteString? = nil, isPersonal: Bool, receivedAt: Double) {
        decision = CacheDecisionReport(outcome: outcome, status: status)
        self.isPersonal = isPersonal
        self.receivedAt = receivedAt
    }

    /// Until when an image made of it may be shown without asking; nil for as long as it is remembered.
    ///
    /// Only what the origin said counts. Where it said nothing, asking each time would make every view flicker for the
    /// sake of a guess.
    var freshUntil: Double? { outcome.isExplicit ? outcome.freshUntil ?? -.infinity : nil }
    var usableUntil: Double { outcome.usableWhileRevalidatingUntil ?? -.infinity }

    func isFresh(at now: @autoclosure () -> Double) -> Bool { freshUntil.map { isWithin($0, now()) } ?? true }
    func isUsable(at now: Double) -> Bool { isWithin(usableUntil, now) }

    /// Where the clock has jumped back, nobody knows how old the answer is. A second is what clocks are corrected by.
    private func isWithin(_ end: Double, _ now: Double) -> Bool { now < end && now >= receivedAt - 1 }
}
