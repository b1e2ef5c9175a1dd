package import CalotypeHTTP

/// Options of an `HTTPCache`: its limits and its background work.
public struct HTTPCacheOptions: Sendable {
    /// The maximum size of a stored body, in bytes. Larger bodies pass through, unless the store takes them while they
    /// arrive: see ``streamedLength``. The default is 64 MiB.
    public var bodyLimit = 64 << 20

    /// The memory limit for bodies that are still to be stored, in bytes, over all exchanges. Bodies beyond it pass
    /// through without being stored. If memory is short, bodies that their readers have paused for 2 s are no longer
    /// stored. The default is 256 MiB.
    public var gatheringLimit = 256 << 20

    /// The minimum size of a body that the store takes while it arrives, in bytes, if it has a writer for it
    /// (``HTTPCacheStore/writer(for:length:)``). The default is 1 MiB.
    ///
    /// Such a body takes at most some 2 MiB of memory for all its readers, and only the store limits its size. A body of
    /// unknown length is gathered in memory until it has this size. Stored bodies of this size or more are read from
    /// the store at the pace of their readers.
    public var streamedLength = 1 << 20

    /// The longest time that the cache waits for a call of a store of your own, and of the writer of any store. The
    /// default is 30 seconds.
    ///
    /// After it, a look-up counts as a miss, a body passes through without being stored, and a reader gets the rest of
    /// its body from the origin. `onProblem` gets the error.
    public var storeTimeout = Duration.seconds(30)

    /// The maximum number of simultaneous background revalidations (64 by default). One host may use at most half of
    /// the number that other hosts leave free. Beyond the limit, stale responses are served without revalidation.
    public var revalidationLimit = 64

    /// The maximum number of requests that wait for the head of a shared exchange. Further requests are sent
    /// separately. The default is 65,536.
    public var waiterLimit = 65_536

    /// Whether a download continues, and is stored, after its last reader has left. If `false` (the default), it ends,
    /// and the cache keeps the part received if the rest can be requested later.
    public var finishesAbandoned = false

    /// The minimum size of an interrupted body to keep for resumption, in bytes. The default is 1024.
    public var resumableLength = 1024

    /// The maximum number of stored variants of a URL, whose responses depend on the fields that `Vary` names. Beyond it,
    /// the store is told to remove the least recently used one. The default is 64, the minimum 1.
    ///
    /// The cache compares a request with each variant, and a store on disk reads all their heads together. Responses of
    /// overlapping requests may exceed the limit until the next request for the URL.
    public var variantLimit = 64

    var variantsPerKey: Int { max(1, variantLimit) }

    /// The name of the cache in Cache-Status (RFC 9211 §2). The default is "Calotype".
    package var name = "Calotype"

    /// Whether the cache acts for the origin server, so that clients do not control its requests to the origin.
    ///
    /// If `true`, it ignores Cache-Control and Pragma in requests. It sends a GET without conditions or range in place
    /// of each GET and HEAD, and stores the response even if no client reads it to the end. All requests that wait for
    /// an exchange share its response, even if it may not be stored, as long as its body is whole. The client gets the
    /// response that its method and conditions require; a range request gets a part of a stored response or the whole
    /// of a new one. The default is `false`.
    public var isGateway = false

    var drains: Bool { finishesAbandoned || isGateway }

    /// Makes the digest of a body. If `nil` (the default), stored bodies have no identity.
    package var bodyDigest: (@Sendable () -> any RunningDigest)?

    /// Reads the body of a background revalidation at its own pace, given the body's length if known. A body that it
    /// does not read to the end is not stored. If `nil` (the default), the cache itself reads the body.
    package var backgroundReader: (@Sendable (HTTPBody, Int?) async -> Void)?

    /// Whether a separate request fetches the rest of a body for a client that is too slow for its shared download. If
    /// `false`, the client's body ends with the error `connectionLost`. The default is `true`.
    package var servesSlowReaders = true

    /// The purges that the cache obeys. The default is `nil`: none.
    package var purges: (any Purges)?

    /// The clock that measures how long readers have paused a download, and a store has not answered.
    var clock: any Clock<Duration> = ContinuousClock()

    /// Creates options with the defaults that each property documents.
    public init() {}
}
