import Calotype
import CalotypeBase
import CalotypeCodecs
import CalotypeURLs
import Foundation

/// Several results of one image that a client has sent, from one decode.
///
/// They have one deadline and one place in the queue, and are made one after the other. The image is decoded for the largest of
/// them; each is scaled from that bitmap, and is as sharp as one that is decoded by itself. Results that need another decode
/// have their own: of an image that is not turned upright, and of an animation's frames.
extension RenditionMaker {
    typealias FileResult = Result<MadeRendition.File, ServerError>

    /// - Returns: The results in the order of `renditions`, or the failure of all of them.
    func makeAllInTime(
        _ renditions: [Rendition], for asker: RenditionAsker
    ) async -> Result<[FileResult], ServerError> {
        let terms = RenditionTerms(asker: asker, time: RenditionTime(deadline, clock: clock))
        return await Result(awaiting: { () async throws(ServerError) in
            try await terms.time.limited { () async throws(ServerError) in
                work.begins()
                defer { work.ends() }
                return try await makeAll(renditions, under: terms)
            }
        })
    }

    private func makeAll(
        _ renditions: [Rendition], under terms: RenditionTerms
    ) async throws(ServerError) -> [FileResult] {
        guard let first = renditions.first else { return [] }
        let found = try await sources.find(first.source, byteLimit: nil)
        let name = ByteString(found.digest)
        try failures.check(name, for: first.options)
        return try await queue.run(for: terms.asker.network, within: terms.time) { (turn) async throws(ServerError) in
            let decoding = DecodeTerms(
                timeLeft: { terms.time.left }, drawings: drawings.budget(of: found.host), turn: turn)
            let group = RenditionGroup(maker: self, renditions: renditions, found: found, terms: decoding, turn: turn)
            return try await failures.noting([.image], of: name) { () async throws(ServerError) in
                try await group.files()
            }
        }
    }
}

private struct RenditionGroup {
    typealias FileResult = RenditionMaker.FileResult

    let maker: RenditionMaker
    let renditions: [Rendition]
    let found: FoundSource
    let terms: DecodeTerms
    let turn: RenditionQueue.Turn

    /// - Throws: The failure of the image itself, which all results share.
    func files() async throws(ServerError) -> [FileResult] {
        let header = try await header()
        let together = renditions.indices.filter { sharesDecode(renditions[$0], header) }
        var files: [Int: FileResult] = [:]
        if together.count > 1 { files = try await sharedFiles(together, header) }
        for index in renditions.indices where files[index] == nil {
            files[index] = await Result(awaiting: { () async throws(ServerError) in
                try await maker.newFile(renditions[index], found, under: terms, turn)
            })
            if Task.isCancelled { throw .cancelled }
        }
        return renditions.indices.compactMap { files[$0] }
    }

    private func header() async throws(ServerError) -> ImageHeader {
        do throws(ImageError) {
            return try await found.loader.header(of: found.data(), under: terms)
        } catch {
            throw ServerError(error)
        }
    }

    /// Whether a result is drawn from the bitmap of the others.
    private func sharesDecode(_ rendition: Rendition, _ header: ImageHeader) -> Bool {
        let options = rendition.options
        return options.info == nil && !SourceDemands(options: options, terms: terms).readsBytes && options.turnsUpright
            && !(header.isAnimated && maker.encoding(of: rendition).keepsMotion)
    }

    private func sharedFiles(
        _ indices: [Int], _ header: ImageHeader
    ) async throws(ServerError) -> [Int: FileResult] {
        let plans = indices.map { index in
            SharedResult(layout: maker.layout(of: renditions[index]), encoding: maker.encoding(of: renditions[index]))
        }
        let layouts = VariantLayouts(
            plans.map { $0.layout }, limits: found.loader.options.limits,
            keepsCredits: plans.contains { $0.layout.keepsCredits },
            gainMapSide: plans.compactMap(\.layout.gainMapSide).min(), gamut: maker.settings.gamut)
        let memory = EncodingMemory { [limits = found.loader.options.limits] size, hasAlpha in
            plans.map { $0.peakBytes(from: size, hasAlpha: hasAlpha, of: header, limits) }.max() ?? 0
        }
        let image: ImageResponse
        do throws(ImageError) {
            image = try await decoded(layouts, memory)
        } catch {
            throw ServerError(error)
        }
        var files: [Int: FileResult] = [:]
        for (place, index) in indices.enumerated() {
            files[index] = await file(plans[place], of: header, from: image)
            if Task.isCancelled { throw .cancelled }
        }
        return files
    }

    private func decoded(_ layouts: VariantLayouts, _ memory: EncodingMemory) async throws(ImageError) -> ImageResponse
    {
        maker.work.beginsDecode()
        let image = try await WorkReport.timingDecode(by: maker.clock) { (begins) async throws(ImageError) in
            try await found.image(layouts, encoding: memory, under: terms, onStart: begins)
        }
        maker.countGainMap(of: image.bitmap)
        try await WorkReport.timing(.queue, by: maker.clock) { () async throws(ImageError) in
            do throws(Interruption) { try await turn.takeForEncoding() } catch { throw .cancelled }
        }
        return image
    }

    private func file(
        _ plan: SharedResult, of header: ImageHeader, from image: ImageResponse
    ) async -> FileResult {
        maker.work.beginsEncode()
        return await Result(awaiting: { () async throws(ServerError) in
            do throws(ImageError) {
                let file = try await WorkReport.timing(.encode, by: maker.clock) { () async throws(ImageError) in
                    try await plan.file(from: image, of: header, found.loader)
                }
                return MadeRendition.File(
                    data: file.data, mediaType: ByteString(file.format.imageFormat.mediaType),
                    source: SourceFacts(format: ByteString(header.format.rawValue), bytes: found.byteCount),
                    limit: plan.encoding.options.byteLimit ?? 0)
            } catch {
                throw ServerError(error).ofOneRendition
            }
        })
    }
}
