import CSpng
import CTurboJPEG
import CalotypeCodecs
import Foundation
import Requirements
import Testing

/// Previews of the whole image in growing detail: behaviours 61 and 62.
@Suite struct ScanPreviewTests {
    private static func drawn() throws -> Bitmap {
        try Bitmap.drawn(160, 120) { x, y in
            Pixel(UInt8(x * 255 / 159), UInt8(y * 255 / 119), (x / 5 + y / 5).isMultiple(of: 2) ? 30 : 220)
        }
    }

    private static func interlaced(_ drawn: Bitmap) throws -> Data {
        let samples = drawn.pixels.joined().flatMap { [$0.red, $0.green, $0.blue] }
        return try PNGFile(
            width: drawn.width, height: drawn.height, colorType: SPNG_COLOR_TYPE_TRUECOLOR, isInterlaced: true
        ).encoded(samples)
    }

    @Test(arguments: [TJSAMP_444, TJSAMP_420, TJSAMP_GRAY])
    func `a progressive JPEG is shown after each scan, each time closer to the image`(sampling: TJSAMP) throws {
        let file = try JPEGFiles.make(Self.drawn(), sampling: sampling, progressive: true)
        let whole = try file.decoded()
        let previews = try PreviewFeed(file: file).previews(pieces: 40)
        #expect(previews.count >= 3)
        #expect(previews.allSatisfy { !$0.preview.bitmap.hasAlpha })
        let distances = try previews.map { try #require($0.preview.bitmap.meanDistance(to: whole)) }
        #expect(zip(distances, distances.dropFirst()).allSatisfy { $0 >= $1 - 3 }, "\(distances)")
        #expect(try #require(distances.last) < #require(distances.first) / 2)
        // First the means of blocks, at the end half of the resolution.
        #expect(previews.first?.preview.detail == PixelSize(width: 20, height: 15))
        #expect(previews.last?.preview.detail == PixelSize(width: 80, height: 60))
    }

    @Test func `the first preview comes with the first whole scan, and later ones with all that has come since`() throws
    {
        let file = try JPEGFiles.make(Self.drawn(), progressive: true)
        let feed = PreviewFeed(file: file)
        let first = try #require(try feed.firstCut())
        #expect(try feed.previews(at: [first - 1]).isEmpty)
        let whole = try file.decoded()
        let (early, late) = (
            try #require(try feed.previews(at: [first]).first).preview.bitmap,
            try #require(try feed.previews(at: [file.count - 2]).first).preview.bitmap
        )
        // In one piece, as in several.
        let slow = try #require(try feed.previews(at: [first, file.count / 2, file.count - 2]).last).preview.bitmap
        #expect(try #require(late.meanDistance(to: whole)) < #require(early.meanDistance(to: whole)))
        #expect(try #require(slow.meanDistance(to: late)) < 1)
    }

    @Test(arguments: [(160, 80), (120, 80), (80, 40), (61, 40), (40, 20), (16, 20)])
    func `a preview has at least half of the result's resolution`(width: Int, detail: Int) throws {
        let drawn = try Pictures.gradient(160, 120)
        let file = try JPEGFiles.make(drawn, progressive: true)
        let feed = PreviewFeed(file: file, target: ResizeTarget(width: width))
        let last = try #require(try feed.previews(at: [file.count]).first).preview
        #expect(last.detail.width == detail && 2 * last.detail.width >= width)
        let whole = try file.decoded(feed.target)
        #expect(last.bitmap.size == whole.size && !last.bitmap.hasAlpha)
        #expect(try #require(last.bitmap.meanDistance(to: whole)) < 2)
    }

    @Test func `no preview shows the gray of what is missing`() throws {
        let red = try Bitmap.drawn(128, 128) { _, _ in .red }
        let file = try JPEGFiles.make(red, progressive: true)
        for (_, preview) in try PreviewFeed(file: file).previews(pieces: 30) {
            #expect(preview.bitmap.pixels.joined().allSatisfy { $0.isClose(to: .red, within: 4) })
        }
    }

    @Test func `an interlaced PNG is shown after each pass, a pixel for each block`() throws {
        let drawn = try Self.drawn()
        let file = try Self.interlaced(drawn)
        var sizes: [PixelSize] = []
        for (cut, preview) in try PreviewFeed(file: file).previews(pieces: 300) where sizes.last != preview.detail {
            sizes.append(preview.detail)
            #expect(preview.bitmap.size == drawn.size)
            // At the size of its blocks, each pixel equals the one in the block's corner.
            let blocks = (x: 160 / preview.detail.width, y: 120 / preview.detail.height)
            let target = ResizeTarget(width: preview.detail.width, height: preview.detail.height, mode: .exact)
            let small = try #require(try PreviewFeed(file: file, target: target).previews(at: [cut]).first).preview
            for y in 0..<small.bitmap.height {
                for x in 0..<small.bitmap.width {
                    #expect(small.bitmap[x, y] == drawn[blocks.x * x, blocks.y * y])
                }
            }
        }
        #expect(
            sizes.map { [160 / $0.width, 120 / $0.height] } == [[8, 8], [4, 8], [4, 4], [2, 4], [2, 2], [1, 2]])
    }

    @Test(.requirement("B62"), arguments: ["JPEG", "PNG", "WebP"])
    func `files without scans have no previews`(format: String) throws {
        let drawn = try Self.drawn()
        let file =
            switch format {
            case "JPEG": try JPEGFiles.make(drawn)
            case "PNG": try drawn.encoded(as: .png)
            default: try drawn.encoded(as: .webp())
            }
        guard case .none = PreviewFeed(file: file).begin() else {
            Issue.record("a session")
            return
        }
    }

    @Test(.requirement("B63"), arguments: 1...8)
    func `previews stand upright, and have the size asked for`(orientation: Int) throws {
        let quarters = try Pictures.quarters(128, 96)
        let file = try JPEGFiles.make(quarters, progressive: true).addingEXIF(orientation)
        let feed = PreviewFeed(file: file, target: ResizeTarget(width: 48, height: 48, mode: .fill))
        let whole = try file.decoded(feed.target)
        let previews = try feed.previews(pieces: 20)
        #expect(!previews.isEmpty)
        for (_, preview) in previews {
            #expect(preview.bitmap.size == whole.size)
            #expect(zip(preview.bitmap.corners, whole.corners).allSatisfy { $0.isClose(to: $1, within: 16) })
        }
    }

    @Test func `a header that has not come is waited for, one that is too large has no previews`() throws {
        let file = try JPEGFiles.make(Self.drawn(), progressive: true)
        let feed = PreviewFeed(file: file)
        guard case .tooEarly = feed.begin(8), case .tooEarly = feed.begin(40), case .session = feed.begin() else {
            Issue.record("other outcomes")
            return
        }
        var limited = feed
        limited.limits.maxPixels = 1_000
        guard case .none = limited.begin() else {
            Issue.record("a session")
            return
        }
        guard case .none = PreviewFeed(file: Data("<!doctype html><title>404</title>".utf8)).begin() else {
            Issue.record("a session")
            return
        }
    }

    @Test func `a file whose chunk ends between its header and its first scan is waited for`() throws {
        let file = try JPEGFiles.make(Self.drawn(), progressive: true)
        let feed = PreviewFeed(file: file)
        let scan = try #require(file.range(of: Data([0xFF, 0xDA]))).lowerBound
        for count in 12...scan {
            guard case .tooEarly = feed.begin(count) else {
                Issue.record("another outcome at \(count) of \(scan) bytes")
                return
            }
        }
    }

    @Test func `a file of 1,000 scans has no previews beyond the 500th`() throws {
        let file = try JPEGFiles.make(Pictures.gradient(64, 64), sampling: TJSAMP_GRAY, progressive: true)
        let start = try #require(file.range(of: Data([0xFF, 0xDA]))).lowerBound
        let next = try #require(file.range(of: Data([0xFF, 0xC4]), in: start..<file.count)).lowerBound
        let many = file[..<start] + Data(repeatElement(file[start..<next], count: 1_000).joined()) + [0xFF, 0xD9]
        #expect(try PreviewFeed(file: many).previews(at: [start + 400 * (next - start)]).count == 1)
        #expect(try PreviewFeed(file: many).previews(at: [start + 600 * (next - start)]).isEmpty)
    }
}
