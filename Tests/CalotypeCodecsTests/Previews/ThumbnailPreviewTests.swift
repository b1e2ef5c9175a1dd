import CalotypeCodecs
import Foundation
import Requirements
import Testing

/// The small image that cameras store in the EXIF block of a JPEG.
@Suite struct ThumbnailPreviewTests {
    /// Returns a JPEG with a thumbnail in its EXIF block.
    private func camera(
        _ image: Bitmap, thumbnail: Bitmap, orientation: Int = 1, bigEndian: Bool = true, progressive: Bool = false
    ) throws -> Data {
        let small = try JPEGFiles.make(thumbnail)
        func number(_ value: Int, _ bytes: Int) -> Data {
            bigEndian ? Data().bigEndian(value, bytes: bytes) : Data().littleEndian(value, bytes: bytes)
        }
        func entry(_ tag: Int, _ value: Int) -> Data { number(tag, 2) + number(4, 2) + number(1, 4) + number(value, 4) }
        // The two entries of the first directory end at 34, with the offset of the second.
        let first = JPEGFiles.tiff(orientation, bigEndian: bigEndian).dropLast(4) + number(38, 4)
        let second = number(2, 2) + entry(0x0201, 38 + 30) + entry(0x0202, small.count) + number(0, 4)
        return try JPEGFiles.make(image, progressive: progressive)
            .addingSegment(0xE1, Data("Exif\0\0".utf8) + first + second + small)
    }

    @Test(arguments: [true, false], [true, false])
    func `the thumbnail is the first preview, before any scan`(bigEndian: Bool, progressive: Bool) throws {
        let file = try camera(
            Pictures.gradient(400, 300), thumbnail: Pictures.gradient(80, 60), bigEndian: bigEndian,
            progressive: progressive)
        let previews = try PreviewFeed(file: file, target: ResizeTarget(width: 200)).previews(pieces: 30)
        let first = try #require(previews.first).preview
        #expect(first.detail == PixelSize(width: 80, height: 60))
        #expect(first.bitmap.size == PixelSize(width: 200, height: 150))
        #expect(try #require(first.bitmap.meanDistance(to: file.decoded(ResizeTarget(width: 200)))) < 4)
        // A baseline file has no other preview.
        #expect((previews.count > 1) == progressive)
    }

    @Test(.requirement("B63"), arguments: 1...8)
    func `it is turned as its image is`(orientation: Int) throws {
        let file = try camera(
            Pictures.quarters(400, 300), thumbnail: Pictures.quarters(160, 120), orientation: orientation)
        let first = try #require(try PreviewFeed(file: file).previews(pieces: 30).first).preview
        let whole = try file.decoded()
        #expect(first.bitmap.size == whole.size)
        #expect(zip(first.bitmap.corners, whole.corners).allSatisfy { $0.isClose(to: $1, within: 16) })
    }

    @Test(arguments: [(160, 120), (159, 106), (160, 108)])
    func `one of another ratio, such as one framed in black, is left out`(width: Int, height: Int) throws {
        let file = try camera(Pictures.gradient(600, 400), thumbnail: Pictures.gradient(width, height))
        let isWhole = (width, height) == (159, 106)
        switch PreviewFeed(file: file).begin() {
        case .session: #expect(isWhole)
        case .none: #expect(!isWhole)
        case .tooEarly, .inWorker: Issue.record("the header is there, and read here")
        }
    }

    @Test func `a thumbnail that is cut short or no JPEG is left out`() throws {
        let file = try camera(Pictures.gradient(400, 300), thumbnail: Pictures.gradient(80, 60), progressive: true)
        let small = try #require(file.range(of: Data([0xFF, 0xD8]), in: 2..<file.count)).lowerBound
        var broken = file
        for offset in small..<small + 40 { broken[offset] = 0 }
        let session = try PreviewFeed(file: broken).session()
        #expect(try session.preview(of: broken)?.detail == PixelSize(width: 200, height: 150))
    }
}
