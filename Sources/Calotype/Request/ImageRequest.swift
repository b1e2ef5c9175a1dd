public import CalotypeBase
public import CalotypeCodecs
public import CalotypeHTTP
public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// An image to load: its source, size and steps, and how caches and queues treat the request.
public struct ImageRequest: Sendable {
    /// The source of the image's bytes.
    public var source: ImageSource {
        get { parts.value.source }
        set { parts.value.source = newValue }
    }
    /// The size of the decoded image, in pixels.
    ///
    /// If `nil` (the default), the image is decoded at its full size, within the loader's limits.
    public var size: ResizeTarget? {
        get { parts.value.size }
        set { parts.value.size = newValue }
    }
    /// The widest gamut that the bitmap may have.
    ///
    /// The bitmap has it if more than one of 1,000 pixels are of a color beyond sRGB; otherwise, and by default, it is sRGB. Files that
    /// are encoded from the bitmap name its gamut. All frames of an animation have the gamut of its first one. Views show sRGB on Linux.
    ///
    /// ```swift
    /// request.gamut = .displayP3
    /// let file = try await loader.data(for: request, encodedAs: .webp(quality: 80))
    /// ```
    public var gamut: ColorGamut {
        get { parts.value.gamut }
        set { parts.value.gamut = newValue }
    }
    /// The changes applied to the pixels after resizing, in order.
    public var steps: [any ImageStep] {
        get { parts.value.steps }
        set { parts.value.steps = newValue }
    }
    /// The use of the caches and the network. If `nil` (the default), the loader's `ImageLoaderOptions.policy` applies.
    public var policy: CachePolicy? {
        get { parts.value.policy }
        set { parts.value.policy = newValue }
    }
    /// The priority among waiting requests. The default is `normal`.
    public var priority: LoadPriority {
        get { parts.value.priority }
        set { parts.value.priority = newValue }
    }
    /// The caches that the request reads and writes, within its policy. The default is all of them.
    public var caching: Caching {
        get { parts.value.caching }
        set { parts.value.caching = newValue }
    }
    /// A key in place of the URL and the header fields, for URLs with a changing signature.
    ///
    /// Requests with the same key share bytes and images: never give two users the same key. The `Range` field remains
    /// part of the key, since a range of the bytes is not the whole image. After redirects, only the final response is
    /// stored under the key.
    public var cacheKey: String? {
        get { parts.value.cacheKey }
        set { parts.value.cacheKey = newValue }
    }
    /// Whether the request accepts a larger bitmap of the same image from memory, unchanged. If `size` crops or
    /// stretches the image, only a bitmap of the same shape is returned.
    public var acceptsLargerImages: Bool {
        get { parts.value.acceptsLargerImages }
        set { parts.value.acceptsLargerImages = newValue }
    }
    /// The placeholder that views show until the image or a preview arrives. The default is `nil`. Not part of any key.
    public var placeholder: ImagePlaceholder? {
        get { parts.value.placeholder }
        set { parts.value.placeholder = newValue }
    }
    /// The previews that ``ImageLoader/events(for:)`` and views show while the bytes arrive.
    ///
    /// If `nil` (the default), the previews of `ImageLoaderOptions` apply, or in views those of `RemoteImageOptions`.
    /// Not part of any key.
    public var previews: ImagePreviews? {
        get { parts.value.previews }
        set { parts.value.previews = newValue }
    }

    /// Creates a request for the image of any source.
    public init(
        source: ImageSource, size: ResizeTarget? = nil, steps: [any ImageStep] = [],
        policy: CachePolicy? = nil, priority: LoadPriority = .normal, caching: Caching = .all,
        cacheKey: String? = nil, acceptsLargerImages: Bool = false
    ) {
        parts = CopyOnWrite(
            Parts(
                source: source, size: size, steps: steps, policy: policy, priority: priority, caching: caching,
                cacheKey: cacheKey, acceptsLargerImages: acceptsLargerImages))
    }

    /// Creates a request for the image at a URL.
    ///
    /// - Parameter fields: The header fields to send. By default those of `ImageLoaderOptions.defaultFields` alone.
    public init(
        _ url: URL, fields: HTTPFields = [:], size: ResizeTarget? = nil, steps: [any ImageStep] = [],
        policy: CachePolicy? = nil, priority: LoadPriority = .normal, caching: Caching = .all,
        cacheKey: String? = nil, acceptsLargerImages: Bool = false
    ) {
        self.init(
            source: .request(HTTPRequest(url, fields: fields)), size: size, steps: steps, policy: policy,
            priority: priority, caching: caching, cacheKey: cacheKey, acceptsLargerImages: acceptsLargerImages)
    }

    /// Creates a request for the image at a `URLRequest`, with its method and header fields.
    ///
    /// If `policy` is `nil` (the default), the cache policy of the URL request applies, unless that is
    /// `useProtocolCachePolicy`: then the loader's policy applies.
    public init(
        _ request: URLRequest, size: ResizeTarget? = nil, steps: [any ImageStep] = [],
        policy: CachePolicy? = nil, priority: LoadPriority = .normal, caching: Caching = .all,
        cacheKey: String? = nil, acceptsLargerImages: Bool = false
    ) {
        self.init(
            source: .request(request), size: size, steps: steps,
            policy: policy ?? CachePolicy(naming: request.cachePolicy),
            priority: priority, caching: caching, cacheKey: cacheKey, acceptsLargerImages: acceptsLargerImages)
    }

    /// The sources to try in order if the request's own source fails. Empty by default.
    ///
    /// Each is loaded and cached as a separate request, with the same size, steps, policy and priority, and without
    /// `cacheKey`. If all fail, the request fails with the error of the first source, whose `alternativeErrors` lists
    /// the other errors. After a cancellation, a full queue or a failed step, no other source is tried.
    public var alternatives: [ImageSource] {
        get { parts.value.alternatives }
        set { parts.value.alternatives = newValue }
    }
    /// A smaller source for networks on which the user saves data ("Low Data Mode"). If `nil` (the default), the
    /// request treats all networks alike.
    ///
    /// The request loads it if its own source fails with `networkConstrained`, so cached images are still returned in
    /// full quality. URLSession reports that error. On Linux nothing does, unless a layer around
    /// `ImageLoaderOptions.transport` throws it for requests whose `allowsConstrainedNetwork` is `false`.
    public var lowDataSource: ImageSource? {
        get { parts.value.lowDataSource }
        set { parts.value.lowDataSource = newValue }
    }
    /// Whether the request waits for a connection, for up to `ImageLoaderOptions.connectivityTimeout`, instead of
    /// failing at once. The default is `false`.
    public var waitsForConnectivity: Bool {
        get { parts.value.waitsForConnectivity }
        set { parts.value.waitsForConnectivity = newValue }
    }
    /// How long requests for the same source fail immediately after a permanent failure. If `nil` (the default), each
    /// request tries again.
    ///
    /// ``ImageError/isPermanent`` lists these failures, such as a 404 or bytes that are not an image. A failed step, a lost
    /// connection and a timeout are never remembered. The policies
    /// `revalidate` and `reloadIgnoringCache` and a view's Retry try again in any case; `remove(_:)` and `removeAll()`
    /// clear the failures. The last 1,024 failures are remembered.
    public var failureMemory: Duration? {
        get { parts.value.failureMemory }
        set { parts.value.failureMemory = newValue }
    }

    /// The statuses of HTTP whose bodies are the request's image. The default is 200–299; all others fail with `badStatus`.
    ///
    /// For the image that a server sends with a 404:
    ///
    /// ```swift
    /// request.acceptedStatuses.insert(404)
    /// ```
    ///
    /// Requests that accept other statuses share no image in memory, and no remembered failure. They do share stored responses,
    /// each of which has its status. An image with a status of 400 or more is used for the lifetime that
    /// the HTTP cache gives its response, which without one is 0, and is then requested again. Redirects are followed, and
    /// `ImageLoaderOptions.retry` retries its statuses, in any case. Files, `data:` URLs and custom sources have no status.
    public var acceptedStatuses: Set<Int> {
        get { parts.value.accepted.statuses }
        set { parts.value.accepted = AcceptedStatuses(newValue) }
    }

    var accepted: AcceptedStatuses { parts.value.accepted }

    /// The time limit, counted from the call. If `nil` (the default), `ImageLoaderOptions.deadline` applies.
    public var deadline: Duration? {
        get { parts.value.deadline }
        set { parts.value.deadline = newValue }
    }

    /// Whether the request may need more than one attempt, a timer or the memory of failures.
    var hasFallbacks: Bool {
        !alternatives.isEmpty || lowDataSource != nil || waitsForConnectivity || failureMemory != nil || deadline != nil
    }

    private var parts: CopyOnWrite<Parts>

    private struct Parts {
        var source: ImageSource
        var size: ResizeTarget?
        var steps: [any ImageStep]
        var policy: CachePolicy?
        var priority: LoadPriority
        var caching: Caching
        var cacheKey: String?
        var acceptsLargerImages: Bool
        var placeholder: ImagePlaceholder?
        var previews: ImagePreviews?
        var alternatives: [ImageSource] = []
        var lowDataSource: ImageSource?
        var waitsForConnectivity = false
        var failureMemory: Duration?
        var deadline: Duration?
        var accepted = AcceptedStatuses.successes
        var gamut = ColorGamut.sRGB
    }

    /// The caches that a request reads and writes.
    public struct Caching: OptionSet, Hashable, Sendable {
        public let rawValue: Int

        public init(rawValue: Int) {
            self.rawValue = rawValue
        }

        /// Returns images from the memory cache.
        public static let readMemory = Caching(rawValue: 1)
        /// Stores the bitmap in the memory cache.
        public static let writeMemory = Caching(rawValue: 2)
        /// Uses bytes or processed images from the disk store.
        public static let readDisk = Caching(rawValue: 4)
        /// Stores bytes or processed images in the disk store.
        public static let writeDisk = Caching(rawValue: 8)
        /// Reads and writes memory and disk.
        public static let all: Caching = [.readMemory, .writeMemory, .readDisk, .writeDisk]
    }

    func from(_ source: ImageSource) -> ImageRequest {
        var other = self
        other.source = source
        other.cacheKey = nil
        other.lowDataSource = nil
        other.alternatives = []
        return other
    }

    /// The layout of the decoded image, or `nil` for its full size in sRGB.
    var layout: (any ImageLayout)? { gamut == .sRGB ? size : GamutLayout(size, in: gamut) }

    /// The effective policy, if the request has been completed with the loader's defaults.
    var rules: CachePolicy { policy ?? .useProtocol }
    var readsMemory: Bool { caching.contains(.readMemory) && rules.readsCaches }
    var readsDisk: Bool { caching.contains(.readDisk) && rules.readsCaches }

    /// The task's adjustable priority, if there is one; otherwise the request's priority, or `nil` if that is `normal`.
    var livePriority: DynamicPriority? {
        DynamicPriority.current ?? (priority == .normal ? nil : DynamicPriority(priority))
    }
}
