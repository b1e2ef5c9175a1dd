import CalotypeCodecs
import CalotypeBase
import Foundation

/// The stage that decodes, processes and encodes images, on the codec threads and within `decodeBudget`.
final class DecodeStage: Sendable {
    let threads: BlockingPool
    let decoders: DecoderRegistry
    let limits: DecodeLimits
    private let previews: Previews
    private let storesImages: Bool
    /// The maximum memory of one request in bytes.
    private let costLimit: Int

    /// - Parameter storesImages: Whether the loader stores processed images, which it encodes as PNG.
    init(_ options: ImageLoaderOptions, _ threads: BlockingPool, _ previews: Previews, storesImages: Bool) {
        decoders = options.decoders
        limits = options.limits
        costLimit = options.refusesBeyondBudget ? options.decodeBudget : .max
        self.threads = threads
        self.previews = previews
        self.storesImages = storesImages
    }

    /// Decodes the image, and reserves the memory of all work that its request does on it.
    ///
    /// - Returns: The bitmap, and the reservation that pays for it; `nil` for a tiny bitmap.
    func bitmap(of bytes: Original.Bytes, _ job: Job) async throws(ImageError) -> (Bitmap, PoolReservation?) {
        previews.end(job.imageFlight)
        // Skip the decode if the caller cancelled while the bytes arrived.
        if Task.isCancelled { throw .cancelled }
        var plan = try await plan(bytes.data, job.layout, job)
        if plan.isBrief {
            // Decode in place: a load's task never runs on a caller's executor, so a brief decode blocks no actor.
            do throws(CodecError) {
                plan = try plan.closing(job.layout, limits: limits)
                if plan.isBrief { return (try plan.decode(), nil) }
            } catch {
                throw ImageError(error, url: job.url)
            }
        }
        let file = plan.header.isAnimated && job.keepsMotion ? bytes.data.count : 0
        return try await bitmap(by: plan, job, file: file)
    }

    /// - Parameter file: The size of the file in bytes, if it stays in memory together with the bitmap.
    func bitmap(
        by plan: DecodePlan, _ job: Job, file: Int = 0
    ) async throws(ImageError) -> (Bitmap, PoolReservation?) {
        let later = job.laterWork(storing: storesImages)
        do throws(CodecError) {
            // An open layout may yet lose the result that needs too much.
            if !(job.layout is any OpenLayout) { try checkBudget(later.peakBytes(by: plan, file: file)) }
            return try await plan.permits.run { () throws(CodecError) in
                try await job.takeTurn()
                let plan = try plan.closing(job.layout, limits: limits)
                let cost = later.peakBytes(by: plan, file: file), frames = later.framesBytes(plan.header, file)
                try checkBudget(cost)
                return try await threads.run(reserving: cost) { (reservation) throws(CodecError) in
                    job.onStart?()
                    let bitmap = try plan.decode(under: job.decodeTerms)
                    let still = later.peakBytes(of: bitmap.size, hasAlpha: bitmap.hasAlpha)
                    let total = max(still, bitmap.byteCount + frames)
                    let map = bitmap.gainMap == nil ? 0 : plan.gainMapBytes
                    reservation.settle(held: bitmap.heldBytes + file, total: total + file + map)
                    return bitmap
                }
            }
        } catch {
            throw ImageError(error, url: job.url)
        }
    }

    /// - Throws: `memoryExceeded` if a request needs more memory than all requests may use, and may not run alone.
    func checkBudget(_ cost: Int) throws(CodecError) {
        guard cost > costLimit else { return }
        throw CodecError(
            .memoryExceeded,
            "the image takes \(cost.megabytes(.up)) of memory until it is encoded, and at most "
                + "\(costLimit.megabytes(.down)) are allowed")
    }

    /// Reads the image's header; on a codec thread if a worker process does the reading.
    func plan(
        _ data: Data, _ layout: (any ImageLayout)?, _ job: Job
    ) async throws(ImageError) -> DecodePlan {
        if decoders.readsHeaderInWorker(data) {
            return try await read(data, job.url) { [decoders, limits] () throws(CodecError) in
                try decoders.under(job.decodeTerms).plan(for: data, target: layout, limits: limits)
            }
        }
        do throws(CodecError) {
            return try decoders.plan(for: data, target: layout, limits: limits)
        } catch {
            throw ImageError(error, url: job.url)
        }
    }

    /// Reads the header on a codec thread. Holds the bytes until then, so that they count against their budget.
    func header(of bytes: Original.Bytes, _ url: URL?) async throws(ImageError) -> ImageHeader {
        try await read(bytes.data, url) { [decoders, limits] () throws(CodecError) in
            try decoders.header(of: bytes.data, frameLimit: limits.maxFrames)
        }
    }

    /// Applies the last step of the job to the image before it, within the reservation of that image.
    func bitmap(
        applying step: any ImageStep, to before: ImageResponse, _ job: Job
    ) async throws(ImageError) -> (Bitmap, PoolReservation) {
        let (bitmap, later) = (before.bitmap, job.laterWork(storing: storesImages))
        // The image before the step may come from memory, without a reservation.
        let unpaid = before.reservation == nil ? bitmap.byteCount : 0
        let file = before.motion?.byteCount ?? 0
        let cost = later.bytes(after: step, on: bitmap.size, hasAlpha: bitmap.hasAlpha)
        do throws(CodecError) {
            try checkBudget(bitmap.byteCount + cost + file)
            return try await threads.run(within: before.reservation, reserving: cost + unpaid + file) {
                (reservation) throws(CodecError) in
                do throws(CodecError) {
                    let result = try step.apply(to: bitmap)
                    let total = later.peakBytes(of: result.size, hasAlpha: result.hasAlpha)
                    reservation.settle(held: result.byteCount + file, total: total + file)
                    return result
                } catch {
                    // Even a cancellation is the step's failure: nothing cancels a step without cancelling its load.
                    throw error.failing(step: step.key)
                }
            }
        } catch {
            throw ImageError(error, url: job.url)
        }
    }

    /// Encodes the image, or does other work with it, within its reservation.
    ///
    /// - Parameter cost: The peak memory of the work in bytes, including the bitmap.
    func work<Result: Sendable>(
        on image: ImageResponse, cost: Int, _ url: URL?, _ body: @escaping @Sendable () throws(CodecError) -> Result
    ) async throws(ImageError) -> Result {
        let paid = image.reservation == nil ? 0 : image.bitmap.byteCount
        do throws(CodecError) {
            try checkBudget(cost)
            return try await threads.run(within: image.reservation, cost: cost - paid, body)
        } catch {
            throw ImageError(error, url: url)
        }
    }

    /// Returns the format of an image, or `nil` if this build cannot read it.
    func format(of data: Data, _ job: Job) async throws(ImageError) -> ImageFormat? {
        do throws(ImageError) {
            return try await read(data, job.url) { [decoders] () throws(CodecError) in
                try decoders.header(of: data).format
            }
        } catch {
            guard [.unsupportedImage, .imageTooLarge, .decoderFailed].contains(error.code) else { throw error }
            return nil
        }
    }

    /// Reads the file's header on a codec thread, with the permit that its decoder needs.
    func read<Result: Sendable>(
        _ data: Data, _ url: URL?, _ body: @escaping @Sendable () throws(CodecError) -> Result
    ) async throws(ImageError) -> Result {
        try await decoders.permits(for: data).run { () throws(ImageError) in try await run(url, cost: 0, body) }
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
