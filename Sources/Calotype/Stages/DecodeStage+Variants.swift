import CalotypeBase
import CalotypeCodecs
import Foundation

/// The bitmap from which all variants of an image are scaled, and their layouts.
struct VariantSource: Sendable {
    let image: ImageResponse
    let layouts: [VariantLayout]
}

extension DecodeStage {
    /// Decodes the bitmap for all variants, and reserves the memory of the variant that needs most.
    func source(
        of variants: [ImageVariant], _ original: Original, _ bytes: Original.Bytes, _ job: Job
    ) async throws(ImageError) -> VariantSource {
        if Task.isCancelled { throw .cancelled }
        let loaded = job.elapsed
        let all = VariantLayouts(
            variants.map { $0.size }, limits: limits, keepsCredits: variants.contains { $0.format.keepsCredits },
            gainMapSide: variants.contains { $0.format.keepsGainMap } ? 1 : nil, gamut: job.request.gamut)
        let plan = try await plan(bytes.data, all, job)
        do throws(CodecError) {
            let layouts = try all.results(by: plan)
            let work: @Sendable (Bool) -> Int = { hasAlpha in
                zip(variants, layouts).map { $0.peakBytes(in: $1, hasAlpha: hasAlpha) }.max() ?? 0
            }
            // The file of an animation stays in memory until the last variant with frames.
            let keepsFile = plan.header.isAnimated && variants.contains { $0.format.motion != nil }
            let file = keepsFile ? bytes.data.count : 0
            let map = plan.gainMapBytes
            let cost = max(plan.cost, plan.resultSize.bitmapMemory + work(plan.header.hasAlpha) + map)
            try checkBudget(cost + file)
            let (bitmap, reservation) = try await plan.permits.run { () throws(CodecError) in
                try await threads.run(reserving: cost + file) { (reservation) throws(CodecError) in
                    let bitmap = try plan.decode(under: job.decodeTerms)
                    let held = bitmap.heldBytes + file
                    reservation.settle(
                        held: held, total: held + work(bitmap.hasAlpha) + (bitmap.gainMap == nil ? 0 : map))
                    return bitmap
                }
            }
            var image = ImageResponse(bitmap, of: original, reservation)
            image.work = LoadWork(bytes: bytes.data.count, loading: loaded, until: job.elapsed)
            if keepsFile { image.motion = .file(bytes.data) }
            return VariantSource(image: image, layouts: layouts)
        } catch {
            throw ImageError(error, url: job.url)
        }
    }

    /// Makes one variant, within the reservation of the bitmap that it is scaled from.
    func file(
        of variant: ImageVariant, _ layout: VariantLayout, from source: ImageResponse, _ url: URL?
    ) async throws(ImageError) -> Data {
        let bitmap = source.bitmap
        if let encoder = variant.format.motion,
            let animation = try await animation(of: source, variant.size, variant.steps, url)
        {
            let credits = variant.format.keepsCredits ? bitmap.credits : nil
            return try await file(of: animation, by: encoder, credits: credits, within: source, url)
        }
        // Beside the map, that of the result, a changed copy, and its encoder.
        let map = bitmap.heldBytes - bitmap.byteCount
        let cost = bitmap.byteCount + 3 * map + variant.peakBytes(in: layout, hasAlpha: bitmap.hasAlpha)
        return try await work(on: source, cost: cost, url) { () throws(CodecError) in
            let keepsMap = variant.format.keepsGainMap
            let source = keepsMap ? bitmap : bitmap.declaring(gainMap: nil)
            let result = try layout.result(of: source).applying(variant.steps)
            return try variant.format.file(of: result.declaring(credits: bitmap.credits))
        }
    }
}

extension ImageVariant {
    /// Returns the peak memory in bytes of making the variant, without the bitmap that it is scaled from.
    fileprivate func peakBytes(in layout: VariantLayout, hasAlpha: Bool) -> Int {
        let later = LaterWork(
            steps: steps[...], encoding: EncodingMemory { [format] in format.peakBytes(of: $0, hasAlpha: $1) },
            isStored: false)
        return layout.peakBytes(laterBytes: later.peakBytes(of: layout.size, hasAlpha: hasAlpha))
    }
}
