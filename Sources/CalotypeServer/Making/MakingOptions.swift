import Calotype
import CalotypeBase
package import CalotypeCodecs

/// How a server makes a rendition: its decoders, limits and deadlines.
package struct MakingOptions: Sendable {
    /// Whether the results of one source that wait at the same time share a decode. The default is `true`.
    package var sharesDecodes = true
    /// The decoders of the formats that sources may have.
    package var decoders = DecoderRegistry.standard
    /// The formats that are decoded in separate processes. The default is `riskyFormats`.
    package var isolation = DecoderIsolation.riskyFormats
    package var watermark: Bitmap?
    /// The opacity by which that of each URL is multiplied, from 0 to 1. The default is 1.
    package var watermarkOpacity = 1.0
    /// A text of the operator: with another one, all results are made again. Empty by default.
    package var edition: ByteString = ""

    /// The watermark in its opacity.
    var mark: WatermarkImage? { watermark.map { WatermarkImage($0, opacity: watermarkOpacity) } }
    package var encoders = EncoderOptions()
    /// The widest gamut of results. The default is Display P3, which a result has if its colors are beyond sRGB.
    package var gamut = ColorGamut.displayP3
    /// Whether results in JPEG and AVIF keep the gain maps of their sources. The default is `true`.
    package var keepsGainMaps = true
    /// The maximum number of pixels in a source. The default is 50 million.
    package var maxSourcePixels = 50_000_000
    /// The maximum number of pixels in an animation, added up over its frames. Each frame counts as the larger of
    /// its canvas and its result, and as at least 16,384. The result of a larger animation is its first frame. The
    /// default is 50 million.
    package var maxAnimationPixels = 50_000_000
    /// The maximum memory of decoding one source, in bytes. The default is no limit but the share for decodes.
    package var maxDecodeBytes = Int.max
    /// The longest side of a result, in pixels. The default is 4,096. A larger result is made smaller as a whole.
    package var maxResultSide = 4096
    /// The maximum number of pixels of a result. The default is 16 million. A larger result is made smaller as a whole.
    package var maxResultPixels = 16_000_000
    /// The maximum number of renditions that are made or wait for memory and a codec thread. The default is 256.
    package var queueLimit = 256
    /// The time limit for a rendition, from the request to the finished file. The default is 15 s.
    package var deadline = Duration.seconds(15)
    /// The time for which all renditions of a missing, damaged or silent source fail. The default is 10 s.
    package var failureMemory = Duration.seconds(10)

    /// Returns ``isolation`` once its first decoder processes have started.
    func startedIsolation() throws(ServerError) -> DecoderIsolation {
        do throws(CodecError) { try isolation.startAll() } catch { throw ServerError(start: error.message) }
        return isolation
    }

    /// Returns the options of a loader that decodes sources.
    ///
    /// - Parameter bodyLimit: The maximum size of a source, in bytes.
    func loader(
        _ shares: MemoryShares, bodyLimit: Int, _ purges: PurgeList, _ wallClock: WallClock
    ) -> ImageLoaderOptions {
        var options = ImageLoaderOptions.ephemeral
        options.decoders = decoders
        options.limits.maxPixels = maxSourcePixels
        // Beyond the budget, whole renditions are refused.
        options.limits.maxDecodeBytes = maxDecodeBytes
        // `RenditionAnimation` checks it, and makes a still image of a larger animation.
        options.limits.maxAnimationPixels = .max
        options.limits.maxBitmapBytes = nil
        options.bodyLimit = bodyLimit
        options.decodeBudget = shares.decodes
        options.refusesBeyondBudget = true
        options.undecodedBytes = shares.undecodedLimit
        options.schemes = []
        options.purges = purges
        // The HTTP cache keeps results encoded, so the loader need not cache bitmaps.
        options.memory.costLimit = 0
        options.isolation = isolation
        options.wallClock = wallClock
        // The client learns how long the origin asks to wait, instead of waiting for it here.
        options.retry.statuses.subtract([408, 429])
        options.retry.longestRetryAfter = .seconds(1)
        return options
    }
}
