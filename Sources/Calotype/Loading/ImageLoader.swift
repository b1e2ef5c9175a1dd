public import CalotypeCodecs
import CalotypeConcurrency
import CalotypeHTTP
import CalotypeHTTPCache
import CalotypeMemory
public import CalotypeStore
public import Foundation
import ResourceProvider

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// Loads images: from memory, from disk, or from where they are, at the size wanted.
///
/// Equal requests that overlap are one piece of work; different sizes of one image share its download. An image in
/// memory is answered at once, without suspending. A failure reaches every waiter as an `ImageError` and leaves nothing
/// behind: asking again tries again. A caller that is cancelled returns at once; the work stops when nobody waits for
/// it any more.
///
/// Safe to use from any thread. What it does, and in which order, is in `ImageLoader+Stages.swift`.
public final class ImageLoader: Sendable {
    /// The loader of all views that were given no other.
    ///
    /// Has the default options: images in memory, and bytes on disk in the user's cache directory.
    public static let shared = ImageLoader()

    /// The options that the loader was created with.
    public let options: ImageLoaderOptions
    /// The open store that bytes are kept in; nil if nothing is kept on disk.
    public let diskStore: DiskStore?

    let transport: any Transport
    let cache: HTTPCache?
    let consents = StorageConsents()
    /// The value of Accept for requests that do not set it.
    let accept: ByteString
    let keyFields: KeyFields
    /// A Boolean value indicating whether options change requests before they are looked up.
    private let completesRequests: Bool
    let completions = CompletionOrder()
    let removals = Removals()
    /// How often all loads were cancelled.
    let cancellations = AtomicInteger(0)
    let refreshing = Locked(Set<CacheKey>())
    let failures = Locked(FailureMemory<ByteString, ImageError, Double>(limit: 1_024))
    /// The number of originals that each layer has given.
    let origins = Locked([ImageResponse.Origin: Int]())
    let memory: MemoryCache<ImageResponse>
    let images = ImageFlights(cancelled: .cancelled)
    let originals = OriginalFlights(cancelled: .cancelled)
    let bodies = BodyFlights(cancelled: .cancelled)
    let places: Limiter
    let room: Room
    let codecs: BlockingPool
    let sizes = SizesInMemory()
    let previews: PreviewTable
    private let problems: ProblemReports
    private let pressure: MemoryPressureMonitor?
    private let isInvalid = AtomicInteger(0)
    private let lastFlight = AtomicInteger(0)

    /// Creates a loader.
    ///
    /// With the default options it caches decoded images in memory, and bytes by the rules of HTTP in the user's cache
    /// directory. `ImageLoader(.ephemeral)` keeps nothing on disk.
    public init(_ options: ImageLoaderOptions = ImageLoaderOptions()) {
        problems = ProblemReports(options)
        let options = options.withinRange(problems)
        self.options = options
        diskStore = options.disk.open(problems)
        accept = ByteString(options.decoders.acceptField)
        keyFields = KeyFields(outside: options.fieldsOutsideKeys, identity: options.identityFields)
        places = Limiter(limit: options.downloads, queueLimit: options.queueLimit, rate: options.rate)
        completesRequests =
            options.defaultFields != nil || options.policy != .useProtocol || options.deadline != nil
        room = Room(limit: options.undecodedBytes, queueLimit: options.queueLimit, clock: options.clock)
        cache = options.makeCache(diskStore, room, problems)
        transport = options.makeTransport(cache, places, room)
        memory = MemoryCache(options: options.memory, wallClock: options.wallClock) { $0.cost }
        codecs = BlockingPool(
            threads: options.codecThreads, costLimit: options.decodeBudget, queueLimit: options.queueLimit)
        previews = PreviewTable(heldLimit: options.decodeBudget / 2)
        pressure = options.respondsToMemoryPressure ? MemoryPressureMonitor { [memory] in memory.shrink() } : nil
    }

    /// The image at `url`, as large as it is.
    public func fetch(_ url: URL) async throws(ImageError) -> Bitmap {
        try await response(for: ImageRequest(url)).bitmap
    }

    /// The image that a request with header fields, a method or a policy of its own is answered with.
    public func fetch(_ request: URLRequest) async throws(ImageError) -> Bitmap {
        try await response(for: ImageRequest(request)).bitmap
    }

    /// Loads the image of a request.
    public func fetch(_ request: ImageRequest) async throws(ImageError) -> Bitmap {
        try await response(for: request).bitmap
    }

    /// The image, and which layer had it.
    public func response(for request: ImageRequest) async throws(ImageError) -> ImageResponse {
        try await response(for: request, observer: nil)
    }

    /// The bytes as they came. Shares its download with requests for the image.
    public func data(for request: ImageRequest) async throws(ImageError) -> DataResponse {
        try await measure(request) { () throws(ImageError) in
            try checkIsValid()
            return try await withDeadline(of: complete(request)) { [self] (request) async throws(ImageError) in
                try await firstResult(request, decodes: false, originalData)
            }
        }
    }

    func originalData(_ request: ImageRequest) async throws(ImageError) -> DataResponse {
        let job = try job(request, keys(of: request))
        let asker = Asker.caller(priority(of: request))
        var key = job.originalFlight()
        var mayLoadAgain = request.rules.mayLoad || request.source.isLocal
        while true {
            do throws(ImageError) {
                return try await data(job, key, asker)
            } catch {
                if error.isBegunBody { continue }
                guard error.isLostBody, mayLoadAgain else { throw error }
                key = job.originalFlight(ignoringDisk: true)
                mayLoadAgain = false
            }
        }
    }

    private func data(_ job: Job, _ key: OriginalFlightKey, _ asker: Asker) async throws(ImageError) -> DataResponse {
        let original = try await coalescedOriginal(job, key, asker)
        return DataResponse(
            data: try await bytes(of: original, job, asker).data, origin: original.origin, head: original.head,
            provenance: original.provenance, identity: original.identity)
    }

    /// Loads an image and encodes it: a thumbnail for a web service, say.
    ///
    /// Encodes on the loader's codec threads, within `decodeBudget`. The encoded bytes are not cached.
    ///
    /// ```swift
    /// let thumbnail = ImageRequest(source: .data(upload), size: ResizeTarget(width: 400))
    /// let webp = try await loader.data(for: thumbnail, encodedAs: .webp(quality: 80))
    /// ```
    public func data(
        for request: ImageRequest, encodedAs format: EncodingFormat
    ) async throws(ImageError) -> Data {
        try await withDeadline(of: complete(request)) { [self] (request) async throws(ImageError) in
            let job = try job(request, keys(of: request))
            let bitmap = try await response(for: request).bitmap
            return try await onCodecThread(job, cost: 2 * bitmap.byteCount) { () throws(CodecError) in
                try bitmap.encoded(as: format)
            }
        }
    }

    /// The image if it is in memory: synchronous, from any thread, never an I/O.
    public func cachedImage(for request: ImageRequest) -> Bitmap? {
        let request = complete(request)
        return imageInMemory(request, keys(of: request))?.bitmap
    }

    /// The image at `url`, as large as it is, if it is in memory.
    public func cachedImage(for url: URL) -> Bitmap? {
        cachedImage(for: ImageRequest(url))
    }

    /// Removes all images from memory and disk.
    ///
    /// Loads that are under way still answer but store nothing; later requests do not join them.
    public func removeAll() async throws(ImageError) {
        removals.noteAll()
        failures.withLock { $0.forgetAll() }
        memory.removeAll()
        cache?.outdateAll()
        do {
            try await diskStore?.removeAll()
        } catch {
            throw ImageError(.other, "the disk store could not be emptied: \(error)", underlying: error)
        }
    }

    /// Removes one image: its bytes from disk, and from memory the image at this size, after each of these steps, and at every
    /// size without steps.
    ///
    /// Loads that are under way still answer but store nothing; later requests do not join them. A caller that is cancelled
    /// does not stop the removal.
    public func remove(_ request: ImageRequest) async throws(ImageError) {
        let request = complete(request)
        let keys = keys(of: request)
        removals.note(keys.source)
        failures.withLock { $0.forget(keys.source) }
        let images = [keys.image] + keys.chain(of: request) + sizes.removeAll(of: keys.source)
        for image in images { memory.remove(for: image) }
        await removeOriginal(Job(request, keys, hasStore: cache != nil, removals: 0, cancellations: 0, unique: 0))
    }

    /// Lets go of half of the images in memory, those least likely to be asked for again. Done by itself when the
    /// system runs short of memory.
    public func shrinkMemory() {
        memory.shrink()
    }

    /// Cancels all loads under way: their callers get the error `cancelled`. Later requests start afresh.
    public func cancelAll() {
        // Those that have not begun a flight yet see it when they do.
        _ = cancellations.add(1)
        images.endAll(with: .cancelled)
        originals.endAll(with: .cancelled)
        bodies.endAll(with: .cancelled)
    }

    /// Ends everything under way and everything to come with the error `invalidated`. Memory is let go.
    public func invalidate() {
        isInvalid.store(1)
        images.endAll(with: .invalidated)
        originals.endAll(with: .invalidated)
        bodies.endAll(with: .invalidated)
        removals.noteAll()
        memory.removeAll()
    }

    /// The work in flight, and the counters of the caches.
    public var statistics: LoaderStatistics {
        let disk = diskStore?.counts
        return LoaderStatistics(
            images: images.count, imageWaiters: images.waiterCount, sources: originals.count,
            sourceWaiters: originals.waiterCount, downloadQueue: places.load.waiting + room.queue,
            undecodedBytes: room.bytes,
            codecs: codecs.load.running, codecQueue: codecs.load.waiting,
            originals: origins.withLock { $0 }, diskHits: disk?.hits ?? 0, diskMisses: disk?.misses ?? 0,
            diskWrites: disk?.writes ?? 0, memory: memory.statistics)
    }

    /// With the loader's policy, deadline and default header fields, where the request sets none itself.
    func complete(_ request: ImageRequest) -> ImageRequest {
        guard completesRequests else { return request }
        var complete = request
        complete.policy = policy(of: request)
        if let deadline = options.deadline, request.deadline == nil { complete.deadline = deadline }
        if let defaultFields = options.defaultFields, let url = request.source.web?.url {
            complete.source = request.source.adding(defaultFields(url))
        }
        return complete
    }

    /// The policy that counts for the request.
    package func policy(of request: ImageRequest) -> CachePolicy { request.policy ?? options.policy }

    func keys(of request: ImageRequest) -> ImageKeys { ImageKeys(request, fields: keyFields) }

    /// - Parameter begun: How often all loads had been cancelled when the caller asked. The default is the number now.
    func job(_ request: ImageRequest, _ keys: ImageKeys, begun: Int? = nil) throws(ImageError) -> Job {
        try request.source.check(schemes: options.schemes)
        let removals = removals.count(for: keys.source)
        let begun = begun ?? cancellations.load()
        // Requests from before and after a removal share nothing, nor do those from before and after a cancellation. Both
        // numbers only grow.
        let generation = removals &+ UInt64(truncatingIfNeeded: begun)
        return Job(
            request, keys, hasStore: cache != nil, removals: removals, cancellations: begun,
            unique: options.coalesces ? generation : nextFlight())
    }

    /// Returns whether all loads were cancelled after the request was made.
    func wasCancelled(_ job: Job) -> Bool { cancellations.load() != job.cancellations }

    /// Returns whether the source was removed after the request was made. Its image is still returned, but not stored.
    func isOutdated(_ job: Job) -> Bool { removals.count(for: job.source) != job.removals }

    func checkIsValid() throws(ImageError) {
        if isInvalid.load() != 0 { throw .invalidated }
    }

    /// A different number for each piece of work.
    private func nextFlight() -> UInt64 { UInt64(truncatingIfNeeded: lastFlight.add(1)) }

    func report(_ message: String, _ error: (any Error)?) {
        problems.report(message, error)
    }
}
