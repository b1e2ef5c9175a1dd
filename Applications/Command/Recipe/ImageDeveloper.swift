import Calotype
import CalotypeBase
import CalotypeCodecs
import Foundation

/// Applies a recipe to the bytes of an image, with limits on threads and memory.
struct ImageDeveloper: Sendable {
    let recipe: Recipe
    /// Whether an animation keeps all its frames, if the output format supports them.
    let keepsMotion: Bool
    let decoders: DecoderRegistry
    let limits: DecodeLimits
    let codecs: BlockingPool

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
        let format: FileFormat
        let size: PixelSize
        var frames = 1
    }

    /// - Parameter format: the output format; if `nil`, that of the bytes, or the nearest that can be written.
    func develop(_ data: Data, as format: FileFormat?) async throws(CodecError) -> Result {
        let format = recipe.format ?? format
        if keepsMotion, format ?? .webp == .webp, let motion = try await motion(data) { return motion }
        let plan = try decoders.plan(for: data, target: recipe.size, limits: limits)
        return try await codecs.run(cost: plan.cost) { [recipe] () throws(CodecError) in
            var bitmap = try plan.decode()
            if let size = recipe.size { bitmap = try bitmap.applying(Resize(size)) }
            bitmap = try bitmap.applying(recipe.steps)
            let format = format ?? FileFormat(plan.header.format, hasAlpha: bitmap.hasAlpha)
            return Result(image: try recipe.encoded(bitmap, as: format), format: format, size: bitmap.size)
        }
    }

    /// Returns the animation; `nil` for a still image.
    private func motion(_ data: Data) async throws(CodecError) -> Result? {
        let steps = (recipe.size.map { [Resize($0)] } ?? []) + recipe.steps
        return try await codecs.run(cost: data.count) { () throws(CodecError) in
            guard
                let animation = try decoders.animation(for: data, target: recipe.size, steps: steps, limits: limits)
            else { return nil }
            if recipe.qualityTarget != nil {
                throw CodecError(.unsupported, "--quality-target is for still images; add --first-frame or --quality")
            }
            let size = try animation.frame(at: 0).size
            let file = try animation.encoded(as: recipe.encoding(.webp))
            return Result(
                image: EncodedImage(data: file), format: .webp, size: size, frames: animation.frameCount)
        }
    }
}
