import Calotype
import CalotypeBase
import CalotypeCodecs
import CalotypeURLs
import Foundation

/// Makes the answer to a URL that asks what an image is: from the header and the bytes, and if the URL needs the pixels from one
/// small decode.
struct FactsMaking: Sendable {
    let options: InfoOptions
    /// The terms for worker processes.
    let terms: DecodeTerms
    let work: RenditionWork
    let clock: any Clock<Duration>

    static let mediaType: ByteString = "application/json"

    func file(of found: FoundSource, _ turn: RenditionQueue.Turn) async throws(ImageError) -> MadeRendition.File {
        // First, because the bytes stay in memory from now on: as many sources at a time as there are threads.
        try await WorkReport.timing(.queue, by: clock) { () async throws(ImageError) in
            do throws(Interruption) { try await turn.take() } catch { throw .cancelled }
        }
        let data = try await found.data()
        var facts = try await found.loader.reading(data, under: terms) {
            [options] (decoders) throws(CodecError) in try ImageFacts(of: data, options, by: decoders)
        }
        if options.needsPixels { facts.colors = try await colors(of: found.having(data)) }
        let source = SourceFacts(format: ByteString(facts.header.format.rawValue), bytes: data.count)
        return MadeRendition.File(data: Data(facts.json), mediaType: Self.mediaType, source: source)
    }

    private func colors(of source: FoundSource) async throws(ImageError) -> ColorFacts {
        work.beginsDecode()
        let memory = EncodingMemory { size, _ in size.bitmapMemory + ColorFacts.memory }
        let image = try await WorkReport.timingDecode(by: clock) { (begins) async throws(ImageError) in
            try await source.image(ColorFacts.layout, encoding: memory, under: terms, onStart: begins)
        }
        let bitmap = image.bitmap
        return try await source.loader.work(on: image, cost: bitmap.byteCount + ColorFacts.memory) {
            [options] () throws(CodecError) in try ColorFacts(of: bitmap, options)
        }
    }
}
