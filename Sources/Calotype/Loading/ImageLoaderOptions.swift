public import CalotypeBase
public import CalotypeCodecs
public import CalotypeHTTP
public import CalotypeHTTPCache
public import CalotypeMemory
public import CalotypeTransport
public import Foundation

/// The parts of a loader, each replaceable, and its limits.
public struct ImageLoaderOptions: Sendable {
    /// Carries one exchange at a time as it goes over the wire. If `nil` (the default), libcurl on Linux and URLSession on
    /// Apple's platforms.
    ///
    /// The loader puts its layers around it: retries, a limit on bodies, redirects, content decoding, its HTTP cache and
    /// the limits on downloads. A layer of yours wraps the exchange and sees each one, retries and redirects included; a
    /// signature belongs there: `CurlTransport().authorized { … }`. `file:` and `data:` URLs never get here.
    public var exchange: (any Transport)?
    /// Which failures are tried again, and how often. The default is two more tries.
    public var retry = RetryPolicy.twice
    /// The largest body, in bytes after decoding. The default is the smaller of 200 MB and 10 % of memory.
    public var bodyLimit = HTTPBody.standardLimit
    /// Where bytes are kept on disk: those of the web by the rules of HTTP, those of custom sources for `storedLifetime`.
    ///
    /// The default is a folder named after the program, in the user's cache directory.
    public var disk = DiskStorage.userCaches
    /// Which decoders there are.
    public var decoders: DecoderRegistry = .standard
    /// The limits on what is decoded. Images beyond them are refused or scaled down before a pixel is decoded.
    public var limits = DecodeLimits()
    /// The previews of requests that name none. The default is `off`.
    ///
    /// The decoders that WebP's previews hold while bytes come take at most half of `decodeBudget` together; an image for which
    /// that is too little has no previews.
    public var previews = ImagePreviews.off
    /// How many bytes of bitmaps to remember, and for how long.
    public var memory = MemoryCacheOptions()
    /// Lets go of half of the memory cache when the system runs short. On by default.
    public var respondsToMemoryPressure = true

    /// A Boolean value indicating whether equal requests share one download and one decode. On by default.
    public var coalesces = true
    /// The URL schemes that are loaded. Others fail with `unsupportedScheme`.
    ///
    /// The default is `http`, `https` and `data`. With `file`, whoever chooses a URL may have any file read that this process
    /// can read; `ImageSource.file(_:)` reads files without it.
    public var schemes: [CaselessString] = ["http", "https", "data"]
    /// Returns the header fields of requests to a URL that do not set them themselves, such as a token. If `nil` (the
    /// default), there are none.
    ///
    /// Called for each request before the caches are asked, on the caller's thread, or on another one for a prefetcher's:
    /// return at once. The fields are part of the loader's keys, so that two users with different tokens never share an image.
    public var defaultFields: (@Sendable (URL) -> HTTPFields)?
    /// Completes each request over the web before the HTTP cache is asked, and may wait: for a token, say. If `nil` (the
    /// default), requests go as they are.
    ///
    /// Called once for each load, below the memory cache and the coalescing of equal requests, which know the request only as
    /// the caller made it. Use `defaultFields` for what is known at once. An image for which it adds or changes one of the
    /// `identityFields` is therefore not cached in memory; on disk it is stored for that user alone. Requests that overlap
    /// share what it returns: call `cancelAll()` when the user changes.
    ///
    /// Of the returned request the URL, method, header fields, body, timeouts and cache key count. What the closure throws
    /// fails the load with `preparationFailed`. For signatures, which each exchange needs, see ``exchange``.
    public var prepare: (@Sendable (HTTPRequest) async throws -> HTTPRequest)?
    /// Decides on redirects. Called for each with the request that would follow and the response that redirects, without its
    /// body; returns the request to send, changed or not, or `nil` to fail with `redirectFailed`.
    ///
    /// If `nil` (the default), redirects to `http` and `https` are followed, up to 10 in a row. Credentials do not go along to
    /// another origin either way.
    public var redirect: (@Sendable (HTTPRequest, HTTPResponse) async -> HTTPRequest?)?
    /// Header fields that tell users apart, so that two users never share an entry of the disk store.
    ///
    /// The default is `Authorization` and `Cookie`.
    public var identityFields: [CaselessString] = ["Authorization", "Cookie"]
    /// Header fields that a request may differ in and still be answered with the same image.
    ///
    /// Every other field that a request sets is part of the keys by which the loader joins downloads and finds images in
    /// memory: two requests that differ in `Accept-Language` share neither. `Cache-Control`, `Pragma` and conditions
    /// such as `If-None-Match` count for downloads under way alone. Fields in `identityFields` always count.
    ///
    /// The default is `Priority`, `User-Agent`, `traceparent`, `tracestate`, `baggage` and `X-Request-ID`.
    public var fieldsOutsideKeys: [CaselessString] = [
        "Priority", "User-Agent", "traceparent", "tracestate", "baggage", "X-Request-ID",
    ]
    /// The cache policy of requests that name none. The default is `useProtocol`, the rules of HTTP.
    public var policy = CachePolicy.useProtocol
    /// The images that are written to the disk store. The default is `originals`.
    public var storage: StoragePolicy = .originals
    /// What is stored of the web, how long it is good and when it is asked for again: RFC 9111 in private mode.
    /// Answers that can never be reused by it are stored all the same, for the policies that take any age.
    ///
    /// By default a 404 or 410 is remembered only if its origin says for how long; `negativeLifetime` is the number of
    /// seconds to remember the others, and 0.
    public var cacheRules = CacheRules.forImages
    /// How long the stored bytes of a custom source are good, in seconds. 7 days by default.
    public var storedLifetime: Double = 7 * 24 * 60 * 60

    /// Threads that decode, apply steps and encode. One for each core, 8 at most.
    public var codecThreads = min(ProcessInfo.processInfo.activeProcessorCount, 8)
    /// Bytes that decodes in flight may take together. One that needs more runs alone. 256 MB by default.
    public var decodeBudget = 256 << 20
    /// How often a body that breaks off is asked for again. From where it broke off, if there is a disk store and the
    /// server allows it. 2 by default.
    public var resumptions = 2
    /// The timeouts of each exchange over the web: 10 s for connecting, 15 s without a byte from the server, and no total by
    /// default.
    ///
    /// A request of `ImageSource.request(_:)` keeps each timeout that it sets itself. Time in the loader's queues does not
    /// count, nor does time in which the loader stops reading: see ``deadline`` for a limit that includes both. An exchange that
    /// takes longer fails with `timedOut`. ``retry`` tries it again, unless there is a total.
    public var timeouts = HTTPRequest.Timeouts()
    /// The time, from the call on, within which a request has its result: waiting in queues, downloading with all retries
    /// and alternatives, decoding and steps. Then it fails with `timedOut`.
    ///
    /// Counts for requests that name no ``ImageRequest/deadline``. An image in memory is returned in any case. The work goes
    /// on for others who wait for it, and stops if there are none. If `nil` (the default), there is no limit.
    public var deadline: Duration?
    /// The slowest pace of a server, for requests for which neither they nor ``timeouts`` set a total timeout. Without a
    /// limit, servers that send a byte now and then could hold all downloads.
    ///
    /// The default allows 60 s and a second for each 1,000 bytes that have come, 600 s at most. Time in a queue does not
    /// count, nor does time in which the loader itself stops reading. If `nil`, there is no limit.
    public var pace: HTTPRequest.Pace? = HTTPRequest.Pace()
    /// The time that requests with `waitsForConnectivity` wait for a connection. The default is 30 s.
    public var connectivityTimeout = Duration.seconds(30)
    /// The number of downloads and custom sources at the same time. The exchange also limits connections to each host.
    /// Stored images do not wait for a download. The default is 32.
    public var downloads = 32
    /// The number of requests per second that go out over the web on average, retries and redirects included. If `nil` (the
    /// default), there is no limit.
    ///
    /// Requests that have to wait queue up with those that wait for a download, by priority. Custom sources do not count.
    public var requestsPerSecond: Double?
    /// The number of requests that may go out at once after a rest, where `requestsPerSecond` is set. The default is 25.
    public var requestBurst = 25
    /// The size of images in memory that are not decoded yet, in bytes. The default is 64 MiB.
    ///
    /// While bodies that have come as a whole exceed it, the loader loads and reads nothing further. While those on their way
    /// exceed it too, it reads the ones that fit together, or else one at a time. A body that brings less than 64 KB in a
    /// second then lets others go first.
    public var undecodedBytes = 64 << 20
    /// Requests that may wait for a download, or for room in memory. One more fails with `overloaded`. The default is
    /// 65,536.
    public var queueLimit = 65_536

    /// The time of day, for what expires.
    public var wallClock: WallClock = .system
    /// The clock that measures the loader's waits. The default is `ContinuousClock`.
    public var clock: any Clock<Duration> = ContinuousClock()
    /// Called once for each request with what it took, when it ends, cache hits included. If `nil` (the default), nothing is
    /// measured. Called on any thread: return at once.
    public var onMetrics: (@Sendable (ImageLoadMetrics) -> Void)?
    /// Told of what went wrong without failing a request: a store that could not write, a bitmap too large to remember. The
    /// same problem is reported once a minute at most, the cancellation of a load never.
    public var onProblem: (@Sendable (LoaderProblem) -> Void)?

    /// Creates options with the defaults that each property documents.
    public init() {}

    /// Checks the numbers. ``ImageLoader/init(_:)`` does so too: it reports a number that is out of its range, and uses the
    /// nearest one within.
    ///
    /// - Throws: `invalidOption`, an error that names the value to put right.
    public func validate() throws(ImageError) {
        for (name, path, least) in Self.leastValues where self[keyPath: path] < least {
            throw ImageError(.invalidOption, "\(name) is \(self[keyPath: path]), and must be \(least) or more")
        }
        // Also where it is no number.
        guard storedLifetime >= 0 else {
            throw ImageError(.invalidOption, "storedLifetime is \(storedLifetime), and must be 0 or more")
        }
    }

    private static let leastValues: [(name: String, path: any WritableKeyPath<Self, Int> & Sendable, least: Int)] = [
        ("bodyLimit", \.bodyLimit, 0), ("codecThreads", \.codecThreads, 1), ("decodeBudget", \.decodeBudget, 0),
        ("resumptions", \.resumptions, 0), ("downloads", \.downloads, 1), ("requestBurst", \.requestBurst, 1),
        ("undecodedBytes", \.undecodedBytes, 0), ("queueLimit", \.queueLimit, 0),
    ]

    /// The same options with each number in its range.
    func withinRange(_ problems: ProblemReports) -> Self {
        do throws(ImageError) {
            try validate()
            return self
        } catch {
            problems.report("an option is out of range: \(error)", error)
        }
        var options = self
        for (_, path, least) in Self.leastValues { options[keyPath: path] = max(self[keyPath: path], least) }
        options.storedLifetime = storedLifetime >= 0 ? storedLifetime : 0
        return options
    }

    var rate: Limiter.Rate? {
        requestsPerSecond.map { Limiter.Rate(perSecond: $0, burst: requestBurst, clock: clock) }
    }

    /// The default options, except that nothing is kept on disk. For tests and short-lived tools.
    public static var ephemeral: ImageLoaderOptions {
        var options = ImageLoaderOptions()
        options.disk = .none
        return options
    }
}

extension CacheRules {
    /// Private, keeping what only policies that take any age can use, and no failures: asking again tries again.
    public static var forImages: CacheRules {
        var rules = CacheRules(.private)
        rules.keepsUnreusable = true
        rules.negativeLifetime = 0
        rules.guessesFailures = false
        return rules
    }
}

/// Which images go to the disk store.
public struct StoragePolicy: Hashable, Sendable {
    let keepsOriginals: Bool
    let storesProcessedImages: Bool
    let isAutomatic: Bool

    /// The bytes as they came, never those of files and `data:` URLs, which are local. The default.
    public static let originals = StoragePolicy(keepsOriginals: true, storesProcessedImages: false, isAutomatic: false)
    /// Finished images only, encoded again.
    public static let encoded = StoragePolicy(keepsOriginals: false, storesProcessedImages: true, isAutomatic: false)
    /// Finished images where a request has a size or steps, the bytes as they came where it has none.
    public static let automatic = StoragePolicy(keepsOriginals: true, storesProcessedImages: true, isAutomatic: true)
    /// Both.
    public static let all = StoragePolicy(keepsOriginals: true, storesProcessedImages: true, isAutomatic: false)
}

/// Something that went wrong and failed no request.
public struct LoaderProblem: Sendable, CustomStringConvertible {
    /// One line for people.
    public let message: String
    /// The error behind the problem, if there is one.
    public let underlying: (any Error)?

    public var description: String { message }
}
