import CalotypeBase

/// The codec threads, the memory for decoding and the memory for undecoded images of several loaders.
///
/// Loaders with the same object in ``ImageLoaderOptions/sharedWork`` ignore their options `codecThreads`, `decodeBudget` and
/// `undecodedBytes`, and the `queueLimit` of decodes.
///
/// ```swift
/// var options = ImageLoaderOptions()
/// options.decodeBudget = 512 << 20
/// options.sharedWork = SharedWork(options)
/// let (uploads, photographs) = (ImageLoader(options), ImageLoader(options))
/// ```
public final class SharedWork: Sendable {
    let codecs: BlockingPool
    let budget: BodyBudget
    /// The limit on ``reservedBytes``, in bytes.
    public let decodeBudget: Int

    /// Takes the limits and the clock from options of which no number is out of range.
    public init(_ options: ImageLoaderOptions) {
        decodeBudget = options.decodeBudget
        codecs = BlockingPool(
            threads: options.codecThreads, costLimit: options.decodeBudget, queueLimit: options.queueLimit)
        budget = BodyBudget(limit: options.undecodedBytes, queueLimit: options.queueLimit, clock: options.clock)
    }

    /// The memory that decodes, steps and encodings have reserved, in bytes.
    public var reservedBytes: Int { codecs.reserved }

    /// The memory of undecoded images, in bytes.
    public var undecodedBytes: Int { budget.bytes }
}
