public import CalotypeBase
public import CalotypeCodecs
public import CalotypeHTTP
public import CalotypeHTTPCache
public import CalotypeMemory
public import CalotypeTransport
public import Foundation

/// The parts of a loader, each replaceable, and its limits.
public struct ImageLoaderOptions: Sendable {
    /// The transport for each exchange. `nil` (the default) stands for libcurl on Linux, URLSession on Apple's systems.
    ///
    /// The loader adds its own layers on top: retries, a limit on bodies, redirects, content decoding, its HTTP cache
    /// and the limits on downloads. A layer that you put around the transport sees each exchange, including retries and
    /// redirects, so add signatures there: `CurlTransport().authorized { … }`. `file:` and `data:` URLs bypass it.
    ///
    /// Until `send` first suspends, it may run on the thread of the request's caller, and cannot be cancelled. A
    /// transport that computes for long must use a separate task.
    public var transport: (any Transport)?
    /// Adds layers to the system's transport, whose queue enforces the loader's limits on downloads. Ignored if
    /// `transport` is set.
    package var transportLayers: (@Sendable (any Transport) -> any Transport)?
    /// The addresses to which the system's transport on Linux connects. The default is all.
    package var addresses = AddressRules.all
    /// The failures to retry, and the number of retries. The default is two retries.
    public var retry = RetryPolicy.twice
    /// The maximum size of a body, in bytes after its content coding (such as gzip) is removed. The default is the
    /// smaller of 200 MB and 10 % of memory.
    public var bodyLimit = HTTPBody.standardLimit
    /// The store. Keeps bytes from the web by the rules of HTTP, bytes of custom sources for `storedLifetime`.
    ///
    /// The default is a folder named after the program, in the user's cache directory.
    public var disk = DiskStorage.userCaches
    /// The available decoders. The default is `standard`.
    public var decoders: DecoderRegistry = .standard
    /// The formats that decode in separate processes. The default is `riskyFormats`: those that package traits enable.
    ///
    /// Applies to the library's own `decoders`, on Linux; decoders that a program registers stay in its process. If the
    /// processes cannot be started, images fail with `decoderFailed` and never decode in this process.
    public var isolation = DecoderIsolation.riskyFormats
    /// The limits on decoding. Images beyond them are rejected or downsampled before a pixel is decoded.
    ///
    /// A decode may take a quarter of the memory available to this process, or 512 MB if that is more. `DecodeLimits()`
    /// permits 512 MB.
    public var limits = Self.standardLimits

    private static let standardLimits = DecodeLimits(memory: PhysicalMemory.limit())
    /// The previews of requests that do not set their own. The default is `off`.
    ///
    /// The scans of a progressive JPEG need a decoder that stays in memory while the bytes arrive. All such decoders
    /// together take at most half of `decodeBudget`; an image whose decoder would exceed this has no previews.
    public var previews = ImagePreviews.off
    /// The size of the memory cache, in bytes of bitmaps, and the lifetime of its entries.
    public var memory = MemoryCacheOptions()
    /// Whether the loader evicts half of the memory cache when the system runs short of memory. On by default.
    public var respondsToMemoryPressure = true

    /// Whether equal requests share one download and one decode. On by default.
    public var coalesces = true
    /// The supported URL schemes. Other URLs fail with `unsupportedScheme`.
    ///
    /// The default is `http`, `https` and `data`. Adding `file` lets anyone who supplies a URL read any file that this
    /// process can read. `ImageSource.file(_:)` works without this scheme.
    public var schemes: [CaselessString] = ["http", "https", "data"]
    /// Returns default header fields, such as a token, for a URL. A request's own fields take precedence. If `nil` (the
    /// default), the loader adds no fields.
    ///
    /// Called for each request before any cache lookup, on the caller's thread or a prefetcher's: return at once.
    /// The fields are part of the loader's keys: users with different tokens never share an image. A redirect drops them,
    /// and the loader asks again with the target's URL. If the fields differ there, memory does not cache the image.
    public var defaultFields: (@Sendable (URL) -> HTTPFields)?
    /// Completes each request over the web before the lookup in the HTTP cache. May suspend, for example to get a
    /// token. If `nil` (the default), requests are sent unchanged.
    ///
    /// Called once for each load, after the lookup in memory and after coalescing, whose keys come from the caller's
    /// request. So if the closure adds or changes one of the `identityFields`, the loader does not cache the image in
    /// memory, and stores it on disk for that user alone. Requests that overlap share the returned request: call
    /// `cancelAll()` when the user changes. For values that are known at once, use `defaultFields`.
    ///
    /// Also called by ``ImageLoader/store(_:for:)``; and once more by a load of a source for which it has stored an image on disk.
    ///
    /// The loader uses the URL, method, header fields, body, timeouts and cache key of the returned request. If the
    /// closure throws, the load fails with `preparationFailed`. To sign each exchange, see ``transport``.
    public var prepare: (@Sendable (HTTPRequest) async throws -> HTTPRequest)?
    /// Decides on redirects. Called for each redirect with the request that would follow and the redirect response,
    /// without its body. Returns the request to send, changed or not, or `nil` to fail with `redirectFailed`.
    ///
    /// If `nil` (the default), the loader follows redirects to `http` and `https`, up to ``redirectLimit``. In either
    /// case it does not send credentials to another origin.
    public var redirect: (@Sendable (HTTPRequest, HTTPResponse) async -> HTTPRequest?)?
    /// The maximum number of redirects in a row; the next redirect fails with `redirectFailed`. The default is 10.
    public var redirectLimit = 10
    /// The header fields that identify users, so that two users never share an entry of the disk store, and that no
    /// redirect takes to another origin. The default is `Authorization` and `Cookie`.
    public var identityFields: [CaselessString] = ["Authorization", "Cookie"]
    /// The header fields that do not affect the image.
    ///
    /// Every other field that a request sets is part of the keys by which the loader joins downloads and finds images
    /// in memory: two requests that differ in `Accept-Language` share neither. `Cache-Control`, `Pragma` and conditions
    /// such as `If-None-Match` are only in the keys for joining downloads. Fields in `identityFields` always count.
    ///
    /// The default is `Priority`, `User-Agent`, `traceparent`, `tracestate`, `baggage` and `X-Request-ID`.
    public var fieldsOutsideKeys: [CaselessString] = [
        "Priority", "User-Agent", "traceparent", "tracestate", "baggage", "X-Request-ID",
    ]
    /// The cache policy of requests that do not set their own. The default is `useProtocol`, the rules of HTTP.
    public var policy = CachePolicy.useProtocol
    /// The images that are written to the disk store. The default is `originals`.
    public var storage: StoragePolicy = .originals
    /// The rules for storing, reusing and revalidating responses: those of RFC 9111 for a private cache. The loader
    /// also stores responses that these rules never reuse, for `returnCacheElseLoad` and `returnCacheDontLoad`.
    ///
    /// A 404 or 410 is cached for its stated lifetime, otherwise for `negativeLifetime`, which is zero by default.
    public var cacheRules = CacheRules.forImages
    /// The time for which responses from the web are fresh, whatever their servers state, in whole seconds from their arrival.
    /// If `nil` (the default), the servers decide.
    ///
    /// Replaces Cache-Control, Expires, Age and Date of each response with a status below 400, redirects and confirmations
    /// (304) included. So even a response with `no-store`, `no-cache` or `private` is stored, in the entry of its user: set it
    /// for servers whose images never change, and not for images that must not lie on the disk. Responses with `Vary: *` and
    /// requests with `no-store` are not stored. Failures keep their lifetimes, as do responses stored earlier. Custom sources
    /// have ``storedLifetime``. The policies `revalidate` and `reloadIgnoringCache` ask the server in any case.
    public var fixedLifetime: Duration?
    /// The time for which memory takes an image for fresh if its server states no lifetime, so that lists do not ask for it at
    /// each appearance. The default is 5 minutes.
    ///
    /// After it, requests still get the image from memory at once, and the loader asks the server in the background. A longer
    /// lifetime that ``cacheRules`` guess from `Last-Modified` applies instead. If `nil`, the loader asks only after the image
    /// has left memory. The disk store, and temporary redirects, have no such time: they are revalidated at each load.
    public var assumedLifetime: Duration? = .seconds(5 * 60)
    /// The name of the loader's cache in Cache-Status. The default is "Calotype".
    package var cacheName = "Calotype"
    /// The purges that the loader's cache obeys, and that end the sharing of work. The default is `nil`: none.
    package var purges: (any Purges)?
    /// The time for which stored bytes of a custom source stay fresh. 7 days by default.
    public var storedLifetime = Duration.seconds(7 * 24 * 60 * 60)

    /// The number of threads that decode, apply steps and encode. One for each core by default, at most 8.
    public var codecThreads = min(ProcessInfo.processInfo.activeProcessorCount, 8)
    /// The memory limit for all concurrent decodes, steps and encodings, in bytes. The default is 256 MiB.
    ///
    /// Before a request decodes, it waits until the peak of its decode, its steps and, with `data(for:encodedAs:)`, its
    /// encoder fits. The encoding of an animation waits for its memory after the first frame is decoded. A request that
    /// needs more than the limit runs alone. A bitmap counts until it is encoded, or until the loader returns it.
    public var decodeBudget = 256 << 20
    /// The codec threads and the memory that the loader shares with other loaders. If `nil` (the default), it shares
    /// neither.
    public var sharedWork: SharedWork?
    /// Whether a request that needs more than `decodeBudget` fails with `memoryExceeded` before anything is decoded, instead
    /// of running alone. The default is `false`.
    package var refusesBeyondBudget = false
    /// The number of times that the loader requests a body again after its transfer broke off. The loader resumes where
    /// the transfer broke off if the response has a strong ETag, a length and `Accept-Ranges: bytes`, and no content coding.
    /// The bytes wait in the disk store, or in memory if ``undecodedBytes`` leaves room for them. The default is 2.
    public var resumptions = 2
    /// The timeouts of each exchange. By default 10 s to connect, 15 s without a byte from the server, and no total.
    ///
    /// A request of `ImageSource.request(_:)` keeps each timeout that it sets itself. Time in the loader's queues does
    /// not count, nor does time while the loader pauses reading; ``deadline`` includes both. An exchange that takes
    /// longer fails with `timedOut`. ``retry`` tries it again, unless there is a total timeout.
    public var timeouts = HTTPRequest.Timeouts()
    /// The time limit for a request, counted from the call: queues, downloads with all retries and alternatives,
    /// decoding and steps. After it, the request fails with `timedOut`.
    ///
    /// Applies to requests that do not set ``ImageRequest/deadline``. An image in memory is returned in any case. The
    /// work continues for other waiters, and stops without waiters. If `nil` (the default), there is no limit.
    public var deadline: Duration?
    /// The minimum speed of each exchange. Applies if neither the request nor ``timeouts`` sets a total timeout.
    /// Without this limit, servers that send a byte now and then could occupy all slots for downloads.
    ///
    /// The default allows an exchange 60 s plus 1 s for each 1,000 bytes received, but at most 600 s. Time in a queue
    /// does not count, nor does time while the loader pauses reading. If `nil`, there is no limit.
    public var pace: HTTPRequest.Pace? = HTTPRequest.Pace()
    /// The time for which requests with `waitsForConnectivity` wait for a connection. The default is 30 s.
    public var connectivityTimeout = Duration.seconds(30)
    /// The maximum number of concurrent downloads, and that of concurrent custom sources, 32 by default. Stored images
    /// do not count. Loads with a priority below `normal`, such as prefetches, leave the last free slot to others, unless
    /// there is only one.
    ///
    /// The system's transport on Linux also limits the downloads from one host: to six over HTTP/1.1, and to half of
    /// ``downloads`` if that is 12 or more. A download whose server has sent nothing for 2 s does not count until
    /// something arrives, so that silent servers do not delay other downloads. At most 256 such downloads are under way
    /// at a time, half of them from one host. A ``transport`` of your own, and URLSession, have only the limit
    /// ``downloads``.
    public var downloads = 32
    /// The time without a byte after which a download no longer counts. The default is 2 s.
    package var silence = Duration.seconds(2)
    /// The maximum number of downloads that do not count because of their silent servers. The default, `nil`, is 256, or a
    /// quarter of the process's file descriptors if that is less.
    package var silentDownloads: Int?
    /// The time limit of a download: its exchanges after redirects, retries and broken bodies together. Only
    /// `Transport.endingAtDeadline()` enforces it. If `nil` (the default), there is no limit.
    package var downloadTime: Duration?
    /// The maximum average number of requests per second over the web, including retries and redirects. If `nil` (the
    /// default), there is no limit.
    ///
    /// Requests beyond the rate wait in the queue for downloads, by priority. Custom sources do not count. The system's
    /// transport on Linux measures the rate by the system's clock instead of ``clock``.
    public var requestsPerSecond: Double?
    /// The maximum number of requests sent at once after a pause, if `requestsPerSecond` is set. The default is 25.
    public var requestBurst = 25
    /// The limit on undecoded images in memory, in bytes. The default is 64 MiB.
    ///
    /// While complete bodies exceed the limit, the loader pauses all transfers. If unfinished bodies would exceed it
    /// too, only as many transfers continue as fit together, or one if not even one fits. The first of them yields to
    /// the paused transfers if it receives less than 64 KiB in a second.
    public var undecodedBytes = 64 << 20
    /// The maximum number of requests that wait for a download or for memory, 65,536 by default. Others fail with
    /// `overloaded`.
    public var queueLimit = 65_536

    /// The clock for the expiry of responses. The default is the system's.
    public var wallClock: WallClock = .system
    /// The clock that measures the loader's waits. The default is `ContinuousClock`.
    public var clock: any Clock<Duration> = ContinuousClock()
    /// Called with the cost of each request when it ends, including cache hits. If `nil` (the default), nothing is
    /// measured. Called on any thread: return at once.
    public var onMetrics: (@Sendable (ImageLoadMetrics) -> Void)?
    /// Called with problems that do not fail a request, such as a failed write to the store or a bitmap too large for
    /// the memory cache. The same problem is reported at most once a minute; a cancelled load is not a problem.
    public var onProblem: (@Sendable (LoaderProblem) -> Void)?

    /// Creates options with the documented defaults.
    public init() {}

    /// Checks the numbers. ``ImageLoader/init(_:)`` instead reports invalid numbers and uses the nearest valid ones.
    ///
    /// - Throws: `invalidOption`, with a message that names the value to correct.
    public func validate() throws(ImageError) {
        for (name, lifetime) in [("fixedLifetime", fixedLifetime), ("assumedLifetime", assumedLifetime)] {
            guard let lifetime, lifetime < .zero else { continue }
            throw ImageError(.invalidOption, "\(name) is \(lifetime), but must be 0 or more")
        }
        for (name, path, least) in Self.leastValues where self[keyPath: path] < least {
            throw ImageError(.invalidOption, "\(name) is \(self[keyPath: path]), but must be \(least) or more")
        }
        guard storedLifetime >= .zero else {
            throw ImageError(.invalidOption, "storedLifetime is \(storedLifetime), but must be 0 or more")
        }
    }

    private static let leastValues: [(name: String, path: any WritableKeyPath<Self, Int> & Sendable, least: Int)] = [
        ("bodyLimit", \.bodyLimit, 0), ("codecThreads", \.codecThreads, 1), ("decodeBudget", \.decodeBudget, 0),
        ("resumptions", \.resumptions, 0), ("downloads", \.downloads, 1), ("requestBurst", \.requestBurst, 1),
        ("redirectLimit", \.redirectLimit, 0), ("undecodedBytes", \.undecodedBytes, 0), ("queueLimit", \.queueLimit, 0),
    ]

    func withinRange(_ problems: ProblemReports) -> Self {
        do throws(ImageError) {
            try validate()
            return self
        } catch {
            problems.report("an option is out of range: \(error)", error)
        }
        var options = self
        options.fixedLifetime = fixedLifetime.map { max($0, .zero) }
        options.assumedLifetime = assumedLifetime.map { max($0, .zero) }
        for (_, path, least) in Self.leastValues { options[keyPath: path] = max(self[keyPath: path], least) }
        options.storedLifetime = max(storedLifetime, .zero)
        return options
    }

    var rate: Limiter.Rate? {
        requestsPerSecond.map { Limiter.Rate(perSecond: $0, burst: requestBurst, clock: clock) }
    }

    /// The default options without a disk store, for tests and short-lived tools.
    public static var ephemeral: ImageLoaderOptions {
        var options = ImageLoaderOptions()
        options.disk = .none
        return options
    }
}

extension CacheRules {
    /// The rules of a private cache that also stores a 200 with neither a lifetime nor a validator, for
    /// `returnCacheElseLoad` and `returnCacheDontLoad`. It caches a failure only if the origin states a lifetime.
    public static var forImages: CacheRules {
        var rules = CacheRules(.private)
        rules.keepsUnreusable = true
        rules.negativeLifetime = .zero
        rules.guessesFailures = false
        return rules
    }
}

/// The images that are written to the disk store.
public struct StoragePolicy: Hashable, Sendable {
    let keepsOriginals: Bool
    let storesProcessedImages: Bool
    let isAutomatic: Bool

    /// The undecoded bytes, except those of files and `data:` URLs, which are local. The default.
    public static let originals = StoragePolicy(keepsOriginals: true, storesProcessedImages: false, isAutomatic: false)
    /// Only the finished images of requests with a size or steps, encoded losslessly.
    public static let encoded = StoragePolicy(keepsOriginals: false, storesProcessedImages: true, isAutomatic: false)
    /// Finished images of requests with a size or steps, undecoded bytes of the others.
    public static let automatic = StoragePolicy(keepsOriginals: true, storesProcessedImages: true, isAutomatic: true)
    /// The undecoded bytes and the finished images.
    public static let all = StoragePolicy(keepsOriginals: true, storesProcessedImages: true, isAutomatic: false)
}

/// A problem that did not fail a request.
public struct LoaderProblem: Sendable, CustomStringConvertible {
    /// One line for the log.
    public let message: String
    /// The error behind the problem, if there is one.
    public let underlying: (any Error)?

    public var description: String { message }
}
