package import CalotypeHTTP
package import Foundation

/// The options of an `HTTPCache`: its limits, and its work in the background.
public struct HTTPCacheOptions: Sendable {
    /// The largest body to store, in bytes. Larger ones pass through. 64 MiB by default.
    public var bodyLimit = 64 << 20

    /// Bytes of bodies on their way into the store, over all exchanges. What goes beyond passes through without being
    /// stored; where memory is short, bodies whose readers have let them wait for 2 s make room. 256 MiB by default.
    public var gatheringLimit = 256 << 20

    /// How many revalidations may run in the background at the same time, those of one host half of what the others leave
    /// free. What is beyond is served stale and left to the next request. 64 by default.
    public var revalidationLimit = 64

    /// The number of requests that may wait for the head of one collapsed exchange. More go on alone. The default is 65,536.
    public var waiterLimit = 65_536

    /// A Boolean value indicating whether a download goes on into the store after its last reader has left. No by
    /// default: it ends, and what came of it is kept where it can be resumed.
    public var finishesAbandoned = false

    /// The shortest interrupted body worth keeping for a resumption, in bytes. 1024 by default.
    public var resumableLength = 1024

    /// Names a body by its bytes. If `nil` (the default), stored bodies have no identity.
    package var bodyDigest: (@Sendable (Data) -> String)?

    /// Reads the body that a revalidation in the background brings, of the given length if that is known, at its own pace. What
    /// it does not read to the end is not stored. If `nil` (the default), the cache itself reads it.
    package var backgroundReader: (@Sendable (HTTPBody, Int?) async -> Void)?

    /// Whether a client that reads so slowly that its shared download goes on without it gets the rest by a request of its
    /// own. Otherwise its body ends with `connectionLost`. The default is `true`.
    package var servesSlowReaders = true

    /// The clock that tells how long a download has waited for its readers.
    package var clock: any Clock<Duration> = ContinuousClock()

    /// Creates options with the defaults that each property documents.
    public init() {}
}
