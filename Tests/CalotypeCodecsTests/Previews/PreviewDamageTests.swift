import CSpng
import CalotypeCodecs
import CalotypeTesting
import Foundation
import Testing

/// Damaged files that arrive in pieces of any size: a preview, or no preview.
@Suite struct PreviewDamageTests {
    static let files: [(name: String, data: Data)] = {
        guard let drawn = try? Pictures.gradient(49, 41) else { return [] }
        let samples = drawn.pixels.joined().flatMap { [$0.red, $0.green, $0.blue] }
        let interlaced = PNGFile(width: 49, height: 41, colorType: SPNG_COLOR_TYPE_TRUECOLOR, isInterlaced: true)
        let files: [(String, Data?)] = [
            ("progressive JPEG", try? JPEGFiles.make(drawn, progressive: true)),
            ("interlaced PNG", try? interlaced.encoded(samples)),
        ]
        return files.compactMap { name, data in data.map { (name, $0) } }
    }()

    @Test func `there is a file of each kind`() {
        #expect(Self.files.count == 2)
    }

    @Test(
        arguments: files.map(\.name), [nil, ResizeTarget(width: 11), ResizeTarget(width: 30, height: 9, mode: .fill)])
    func `a damaged file that comes in pieces has previews of the right size, or none`(
        name: String, target: ResizeTarget?
    ) throws {
        let whole = try #require(Self.files.first { $0.name == name }).data
        var random = SplitMix(seed: 7)
        for _ in 0..<40 {
            var file = whole
            for _ in 0..<random.number(below: 4) {
                file[random.number(below: file.count)] = UInt8(truncatingIfNeeded: random.next())
            }
            try feed(file, target, piece: 1 + random.number(below: 200))
        }
    }

    private func feed(_ file: Data, _ target: ResizeTarget?, piece: Int) throws {
        let feed = PreviewFeed(file: file, target: target)
        var session: PreviewSession?
        for cut in stride(from: piece, to: file.count, by: piece) {
            if session == nil, case .session(let begun) = feed.begin(cut) { session = begun }
            guard let session, let preview = try? session.preview(of: Data(file.prefix(cut))) else { continue }
            try check(preview.bitmap, of: file, target)
        }
    }

    private func check(_ bitmap: Bitmap, of file: Data, _ target: ResizeTarget?) throws {
        guard let plan = try? DecoderRegistry.standard.plan(for: file, target: target) else { return }
        #expect(bitmap.size == plan.outputSize)
    }
}
