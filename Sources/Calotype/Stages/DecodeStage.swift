import CalotypeCodecs
import CalotypeBase
import Foundation

/// The stage that decodes, processes and encodes images, on the codec threads and within `decodeBudget`.
final class DecodeStage: Sendable {
    let threads: BlockingPool
    private let decoders: DecoderRegistry
    private let limits: DecodeLimits
    private let previews: Previews

    init(_ options: ImageLoaderOptions, _ threads: BlockingPool, _ previews: Previews) {
        decoders = options.decoders
        limits = options.limits
        self.threads = threads
        self.previews = previews
    }

    func bitmap(of bytes: Original.Bytes, _ job: Job) async throws(ImageError) -> Bitmap {
        previews.end(job.imageFlight)
        // Skip the decode if the caller cancelled while the bytes arrived.
        if Task.isCancelled { throw .cancelled }
        let plan = try await plan(bytes.data, job)
        if plan.isBrief {
            // Decode in place: a load's task never runs on a caller's executor, so a brief decode blocks no actor.
            do throws(CodecError) {
                return try plan.decode()
            } catch {
                throw ImageError(error, url: job.url)
            }
        }
        let limit = job.request.deadline
        return try await run(job.url, cost: plan.cost) { () throws(CodecError) in try plan.decode(within: limit) }
    }

    /// Reads the image's header; on a codec thread if a worker process does the reading.
    private func plan(_ data: Data, _ job: Job) async throws(ImageError) -> DecodePlan {
        if decoders.readsHeaderInWorker(data) {
            return try await run(job.url, cost: 0) { [decoders, limits] () throws(CodecError) in
                try decoders.plan(for: data, target: job.layout, limits: limits)
            }
        }
        do throws(CodecError) {
            return try decoders.plan(for: data, target: job.layout, limits: limits)
        } catch {
            throw ImageError(error, url: job.url)
        }
    }

    func bitmap(
        applying step: any ImageStep, to bitmap: Bitmap, _ url: URL?
    ) async throws(ImageError) -> Bitmap {
        try await run(url, cost: 2 * bitmap.byteCount) { () throws(CodecError) in
            do throws(CodecError) {
                return try step.apply(to: bitmap)
            } catch {
                // Even a cancellation is the step's failure: nothing cancels a step without cancelling its load.
                throw error.failing(step: step.key)
            }
        }
    }

    func animation(of file: Data, _ job: Job) async throws(ImageError) -> AnimatedImage? {
        try await run(job.url, cost: 0) { [decoders, limits] () throws(CodecError) in
            try decoders.animation(for: file, layout: job.layout, steps: job.request.steps, limits: limits)
        }
    }

    func run<Result: Sendable>(
        _ url: URL?, cost: Int, _ body: @escaping @Sendable () throws(CodecError) -> Result
    ) async throws(ImageError) -> Result {
        try await threads.run(for: url, cost: cost, body)
    }
}

extension BlockingPool {
    func run<Result: Sendable>(
        for url: URL?, cost: Int, _ body: @escaping @Sendable () throws(CodecError) -> Result
    ) async throws(ImageError) -> Result {
        do throws(CodecError) {
            return try await run(cost: cost, body)
        } catch {
            throw ImageError(error, url: url)
        }
    }
}
