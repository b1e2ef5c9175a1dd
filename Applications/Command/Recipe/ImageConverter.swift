import Calotype
import CalotypeBase
import CalotypeComparison

/// A converter that applies a recipe to encoded images, with limits on threads and memory.
struct ImageConverter: Sendable {
    private let recipe: Recipe
    private let keepsMotion: Bool
    private let decoders: DecoderRegistry
    private let limits: DecodeLimits
    private let codecs: BlockingPool

    /// - Parameter keepsMotion: Whether an animation keeps all its frames, if the output format is WebP.
    init(_ recipe: Recipe, keepsMotion: Bool, _ options: ImageLoaderOptions, threads: Int) {
        self.recipe = recipe
        self.keepsMotion = keepsMotion
        decoders = options.decoders
        limits = options.limits
        codecs = BlockingPool(threads: threads, costLimit: options.decodeBudget)
    }

    /// An image ready to be written.
    struct Result: Sendable {
        let image: EncodedImage
        let format: ImageFormat
        /// The image's size in pixels, after rotation to its EXIF orientation.
        let size: PixelSize
        var frames = 1
    }

    /// Returns the bytes unchanged. Throws if they are not a complete image.
    func checked(_ data: Data) async throws(CodecError) -> Result {
        let header = try decoders.header(of: data)
        do throws(CodecError) {
            // Decoding at a small size reads every byte, and so finds damage, at little cost.
            let plan = try decoders.plan(for: data, target: ResizeTarget(width: 64, height: 64), limits: limits)
            _ = try await codecs.run(cost: plan.cost) { () throws(CodecError) in try plan.decode() }
        } catch {
            // An image that is too large to decode can still be copied.
            guard error.code == .tooLarge else { throw error }
        }
        return Result(
            image: EncodedImage(data: data), format: header.format, size: header.uprightSize,
            frames: header.frameCount ?? 1)
    }

    /// - Parameters:
    ///   - format: The output format, if the command line determines it.
    ///   - likely: The preferred output format if `format` is `nil`. The default is the format of the bytes.
    func convert(_ data: Data, to format: FileFormat?, likely: ImageFormat? = nil) async throws(CodecError) -> Result {
        if recipe.recompresses { return try await recompressed(data, to: format) }
        if keepsMotion, format ?? .webp == .webp, let motion = try await motion(data) { return motion }
        let plan = try await codecs.run(cost: 0) { [decoders, recipe, limits] () throws(CodecError) in
            try decoders.plan(for: data, target: recipe.layout, limits: limits)
        }
        let cancellation = Cancellation()
        let cost = peakBytes(of: plan, as: format ?? FileFormat(likely ?? plan.header.format, hasAlpha: true))
        return try await cancellation.observed { () throws(CodecError) in
            try await codecs.run(cost: cost) { [recipe] () throws(CodecError) in
                var bitmap = try plan.decode()
                if let size = recipe.size { bitmap = try bitmap.applying(ImageSteps.Resize(size)) }
                bitmap = try bitmap.applying(recipe.steps)
                let format = format ?? FileFormat(likely ?? plan.header.format, hasAlpha: bitmap.hasAlpha)
                let exif = EXIFBlock(keeping: recipe.metadata, of: data, size: bitmap.size)
                return Result(
                    image: try recipe.encoded(bitmap, as: format, with: exif, cancellation), format: format.imageFormat,
                    size: bitmap.size)
            }
        }
    }

    private func recompressed(_ data: Data, to format: FileFormat?) async throws(CodecError) -> Result {
        let memory = try await codecs.run(cost: 0) { [decoders, limits] () throws(CodecError) in
            try decoders.transcodingMemory(for: data, limits: limits)
        }
        return try await codecs.run(cost: memory.working + 2 * memory.result) {
            [decoders, limits] () throws(CodecError) in
            let file = try decoders.transcoded(data, limits: limits)
            let header = try decoders.header(of: file)
            guard format.map({ $0.imageFormat == header.format }) ?? true else {
                throw CodecError(
                    .unsupported, "the result is a \(header.format); name it \(header.format.suffix)")
            }
            return Result(image: EncodedImage(data: file), format: header.format, size: header.uprightSize)
        }
    }

    /// Returns the peak memory of decoding, of the steps and of encoding, one after the other in one job.
    private func peakBytes(of plan: DecodePlan, as format: FileFormat) -> Int {
        let steps = (recipe.size.map { [ImageSteps.Resize($0)] } ?? []) + recipe.steps
        let (result, peak) = steps.memory(on: plan.resultSize)
        var encoding = recipe.encoding(format).peakBytes(of: result, hasAlpha: plan.header.hasAlpha)
        // The search compares with the decoded file.
        if let target = recipe.qualityTarget {
            encoding += 2 * result.bitmapMemory
            if target.measure == .ssimulacra2 {
                encoding += PerceptualSimilarity.memory(of: result, hasAlpha: plan.header.hasAlpha)
            }
        }
        return max(plan.cost, plan.resultSize.bitmapMemory + max(peak, encoding) + plan.gainMapBytes)
    }

    /// Returns the gamut of the first frame, which all frames of the result have.
    private func gamut(
        ofFramesIn data: Data, within paid: PoolReservation
    ) async throws(CodecError) -> ColorGamut {
        guard recipe.layout?.gamut ?? .sRGB != .sRGB else { return .sRGB }
        let plan = try await codecs.run(cost: 0) { [decoders, recipe, limits] () throws(CodecError) in
            try decoders.plan(for: data, target: recipe.layout, limits: limits)
        }
        return try await codecs.run(within: paid, cost: plan.cost) { () throws(CodecError) in
            try plan.decode().gamut
        }
    }

    /// Opens an animation, or returns `nil` for a still image. The file's bytes stay reserved.
    private func animation(in data: Data) async throws(CodecError) -> (AnimatedImage, paid: PoolReservation)? {
        let steps = (recipe.size.map { [ImageSteps.Resize($0)] } ?? []) + recipe.steps
        let frames = { @Sendable [decoders, recipe, limits] (gamut: ColorGamut) throws(CodecError) in
            try decoders.animation(for: data, layout: recipe.size, gamut: gamut, steps: steps, limits: limits)
        }
        let (opened, paid) = try await codecs.run(reserving: data.count) { (paid) throws(CodecError) in
            paid.settle(held: data.count, total: data.count)
            return try frames(.sRGB)
        }
        guard let opened else { return nil }
        let gamut = try await gamut(ofFramesIn: data, within: paid)
        guard gamut != .sRGB else { return (opened, paid) }
        return try await codecs.run(cost: 0) { () throws(CodecError) in try frames(gamut) }.map { ($0, paid) }
    }

    private func motion(_ data: Data) async throws(CodecError) -> Result? {
        guard let (animation, paid) = try await animation(in: data) else { return nil }
        if recipe.qualityTarget != nil {
            throw CodecError(.unsupported, "--quality-target is for still images; use --first-frame or --quality")
        }
        let cancellation = Cancellation()
        let cost = animation.encodingBytes
        return try await cancellation.observed { () throws(CodecError) in
            try await codecs.run(within: paid, cost: cost) { [recipe] () throws(CodecError) in
                let size = try animation.frame(at: 0).size
                var file = try animation.encoded(as: recipe.encoding(.webp), frames: .max) { !cancellation.isCancelled }
                if let exif = EXIFBlock(keeping: recipe.metadata, of: data, size: size) {
                    file = try exif.embedded(in: file, .webp)
                }
                return Result(image: EncodedImage(data: file), format: .webp, size: size, frames: animation.frameCount)
            }
        }
    }
}
