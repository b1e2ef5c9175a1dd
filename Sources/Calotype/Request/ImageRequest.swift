public import CalotypeCodecs
public import CalotypeConcurrency
public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// An image to load: its source, size and steps, and how caches and queues treat the request.
public struct ImageRequest: Sendable {
    /// The source of the image's bytes.
    public var source: ImageSource
    /// The size of the decoded image, in pixels.
    ///
    /// If `nil` (the default), the image is decoded at its full size, within the loader's limits.
    public var size: ResizeTarget?
    /// The changes applied to the pixels after resizing, in order.
    public var steps: [any ImageStep]
    /// How the caches are used. The default is `useProtocol`, the rules of HTTP.
    public var policy: CachePolicy
    /// The priority among waiting requests. The default is `normal`.
    public var priority: LoadPriority
    /// The caches that the request reads and writes, within its policy. The default is all of them.
    public var caching: Caching
    /// A key in place of the URL and the header fields, for URLs that carry a changing signature.
    ///
    /// Requests with the same key share bytes and images: never give two users the same one. `Range` still counts, since a
    /// part is not the image. Of an answer that redirects, only what it leads to is stored under the key.
    public var cacheKey: String?
    /// A Boolean value indicating whether a bitmap in memory of the same picture that is larger than `size` may be
    /// returned as it is.
    public var acceptsLarger: Bool

    /// Creates a request for the image of any source.
    public init(
        source: ImageSource, size: ResizeTarget? = nil, steps: [any ImageStep] = [],
        policy: CachePolicy = .useProtocol, priority: LoadPriority = .normal, caching: Caching = .all,
        cacheKey: String? = nil, acceptsLarger: Bool = false
    ) {
        self.source = source
        self.size = size
        self.steps = steps
        self.policy = policy
        self.priority = priority
        self.caching = caching
        self.cacheKey = cacheKey
        self.acceptsLarger = acceptsLarger
    }

    /// Creates a request for the image at a URL.
    public init(
        _ url: URL, size: ResizeTarget? = nil, steps: [any ImageStep] = [],
        policy: CachePolicy = .useProtocol, priority: LoadPriority = .normal, caching: Caching = .all,
        cacheKey: String? = nil, acceptsLarger: Bool = false
    ) {
        self.init(
            source: .url(url), size: size, steps: steps, policy: policy, priority: priority, caching: caching,
            cacheKey: cacheKey, acceptsLarger: acceptsLarger)
    }

    /// Creates a request for the image that answers a URL request, with its method and header fields.
    ///
    /// If `policy` is `nil` (the default), the cache policy of the URL request counts.
    public init(
        _ request: URLRequest, size: ResizeTarget? = nil, steps: [any ImageStep] = [],
        policy: CachePolicy? = nil, priority: LoadPriority = .normal, caching: Caching = .all,
        cacheKey: String? = nil, acceptsLarger: Bool = false
    ) {
        self.init(
            source: .request(request), size: size, steps: steps, policy: policy ?? CachePolicy(request.cachePolicy),
            priority: priority, caching: caching, cacheKey: cacheKey, acceptsLarger: acceptsLarger)
    }

    /// The caches that a request reads and fills.
    public struct Caching: OptionSet, Hashable, Sendable {
        public let rawValue: Int

        public init(rawValue: Int) {
            self.rawValue = rawValue
        }

        /// Answers from the memory cache.
        public static let readMemory = Caching(rawValue: 1)
        /// Stores the bitmap in the memory cache.
        public static let writeMemory = Caching(rawValue: 2)
        /// Answers from the disk store.
        public static let readDisk = Caching(rawValue: 4)
        /// Stores bytes or processed images in the disk store.
        public static let writeDisk = Caching(rawValue: 8)
        /// Reads and writes memory and disk.
        public static let all: Caching = [.readMemory, .writeMemory, .readDisk, .writeDisk]
    }

    var readsMemory: Bool { caching.contains(.readMemory) && policy.readsCaches }
    var readsDisk: Bool { caching.contains(.readDisk) && policy.readsCaches }
}
