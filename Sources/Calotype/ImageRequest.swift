public import CalotypeCodecs
public import Foundation
public import ResourceProvider

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// What picture, how large, what is done to it, and how much it hurries.
public struct ImageRequest: Sendable {
    public var source: ImageSource
    /// The size wanted, in pixels. Nil, the default: as large as the picture is, within the loader's limits.
    public var size: ResizeTarget?
    /// What is done to the pixels after that, in order.
    public var steps: [any ImageStep]
    /// Among requests that wait. `normal` by default.
    public var priority: LoadPriority
    public var policy: CachePolicy
    /// Which caches to read and write within the policy. All by default.
    public var caching: Caching
    /// A key in place of the URL and the header fields, for URLs that carry a changing signature.
    ///
    /// Requests with the same key share bytes and images: never give two users the same one. `Range` still counts, since a
    /// part is not the image. Of an answer that redirects, only what it leads to is stored under the key.
    public var cacheKey: String?
    /// Whether a bitmap in memory of the same picture that is larger than `size` may be returned as it is.
    public var acceptsLarger: Bool

    public init(
        source: ImageSource, size: ResizeTarget? = nil, steps: [any ImageStep] = [],
        priority: LoadPriority = .normal, policy: CachePolicy = .useProtocol, caching: Caching = .all,
        cacheKey: String? = nil, acceptsLarger: Bool = false
    ) {
        self.source = source
        self.size = size
        self.steps = steps
        self.priority = priority
        self.policy = policy
        self.caching = caching
        self.cacheKey = cacheKey
        self.acceptsLarger = acceptsLarger
    }

    public init(_ url: URL, size: ResizeTarget? = nil, steps: [any ImageStep] = []) {
        self.init(source: .url(url), size: size, steps: steps)
    }

    /// Takes the cache policy of the request too.
    public init(_ request: URLRequest, size: ResizeTarget? = nil, steps: [any ImageStep] = []) {
        self.init(source: .request(request), size: size, steps: steps, policy: CachePolicy(request.cachePolicy))
    }

    /// The caches that a request reads and fills.
    public struct Caching: OptionSet, Hashable, Sendable {
        public let rawValue: Int

        public init(rawValue: Int) {
            self.rawValue = rawValue
        }

        public static let readMemory = Caching(rawValue: 1)
        public static let writeMemory = Caching(rawValue: 2)
        public static let readDisk = Caching(rawValue: 4)
        public static let writeDisk = Caching(rawValue: 8)
        public static let all: Caching = [.readMemory, .writeMemory, .readDisk, .writeDisk]
    }

    var readsMemory: Bool { caching.contains(.readMemory) && policy.readsCaches }
    var readsDisk: Bool { caching.contains(.readDisk) && policy.readsCaches }
}
