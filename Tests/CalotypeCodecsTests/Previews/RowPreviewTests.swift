import CSpng
import CTurboJPEG
import CalotypeCodecs
import Foundation
import Requirements
import Testing

/// Previews of the rows received so far.
@Suite struct RowPreviewTests {
    /// Noise, in which every row takes an equal share of the bytes.
    static let files: [(name: String, data: Data)] = {
        guard let noise = try? Pictures.noise(200, 160), let veil = try? noise.applying(RoundedCorners(radius: 9))
        else {
            return []
        }
        let files: [(String, Data?)] = [
            ("JPEG", try? JPEGFiles.make(noise)), ("subsampled JPEG", try? JPEGFiles.make(noise, sampling: TJSAMP_420)),
            ("PNG", try? noise.encoded(as: .png)), ("lossy WebP", try? noise.encoded(as: .webp(quality: 90))),
            ("lossless WebP", try? noise.encoded(as: .webpLossless)),
            ("lossy WebP with alpha", try? veil.encoded(as: .webp(quality: 90))),
            ("lossless WebP with alpha", try? veil.encoded(as: .webpLossless)),
        ]
        return files.compactMap { name, data in data.map { (name, $0) } }
    }()

    private func file(_ name: String) throws -> Data { try #require(Self.files.first { $0.name == name }).data }

    @Test func `there is a file of each kind`() {
        #expect(Self.files.count == 7)
    }

    @Test(arguments: files.map(\.name))
    func `the upper rows are those of the image, the lower ones are transparent`(name: String) throws {
        let file = try file(name)
        let whole = try file.decoded()
        let previews = try PreviewFeed(file: file, previews: .rows).previews(at: [file.count / 2, file.count * 3 / 4])
        #expect(previews.count == 2)
        for (_, preview) in previews {
            #expect(!preview.coversImage && preview.bitmap.hasAlpha && preview.bitmap.size == whole.size)
            #expect(preview.detail == whole.size)
            for y in 12..<40 {
                for x in 12..<whole.width - 12 {
                    #expect(preview.bitmap[x, y].isClose(to: whole[x, y], within: 1), "\(x), \(y)")
                }
            }
        }
        let half = try #require(previews.first).preview.bitmap
        #expect(half.pixels[120...].joined().allSatisfy { $0.alpha == 0 })
    }

    @Test(
        arguments: files.map(\.name), [nil, ResizeTarget(width: 50), ResizeTarget(width: 90, height: 90, mode: .fill)])
    func `a preview has the size of the image that comes after it`(name: String, target: ResizeTarget?) throws {
        let file = try file(name)
        let feed = PreviewFeed(file: file, previews: .rows, target: target)
        let whole = try file.decoded(target)
        let previews = try feed.previews(at: [file.count / 2])
        #expect(previews.map(\.preview.bitmap.size) == [whole.size])
        #expect(previews.allSatisfy { $0.preview.bitmap.pixels.joined().contains { $0.alpha == 255 } })
        #expect(previews.allSatisfy { $0.preview.bitmap.pixels.last?.allSatisfy { $0.alpha == 0 } == true })
    }

    @Test(
        arguments: files.map(\.name).filter { $0.contains("WebP") },
        [nil, ResizeTarget(width: 50), ResizeTarget(width: 97), ResizeTarget(width: 199)])
    func `a WebP goes on from preview to preview, and ends as if it had been decoded at once`(
        name: String, target: ResizeTarget?
    ) throws {
        let file = try file(name)
        let session = try PreviewFeed(file: file, previews: .rows, target: target).session()
        #expect(session.heldBytes > 0)
        for cut in stride(from: file.count / 5, to: file.count, by: file.count / 5) {
            // A new allocation each time, freed before the next.
            _ = try session.preview(of: Data(file.prefix(cut)))
        }
        let finished = try #require(try session.finish(file))
        let whole = try file.decoded(target)
        #expect(finished.worstDistance(to: whole) == 0 && finished.hasAlpha == whole.hasAlpha)
        #expect(try session.finish(file) == nil, "once")
    }

    @Test func `what no preview has begun is decoded from the start`() throws {
        let file = try file("lossy WebP")
        #expect(try PreviewFeed(file: file, previews: .rows).session().finish(file) == nil)
        #expect(try PreviewFeed(file: self.file("JPEG"), previews: .rows).session().finish(self.file("JPEG")) == nil)
    }

    @Test func `a WebP that ends in damage is decoded from the start, which says so`() throws {
        let file = try file("lossless WebP")
        let session = try PreviewFeed(file: file, previews: .rows).session()
        _ = try session.preview(of: file.prefix(file.count / 2))
        #expect(try session.finish(file.prefix(file.count * 3 / 4)) == nil)
    }

    @Test(.requirement("B63")) func `a WebP whose orientation comes last has no rows, which would lie on their side`()
        throws
    {
        let noise = try Pictures.noise(40, 30)
        let turned = try WebPFiles.annotated(noise, exif: JPEGFiles.tiff(6))
        guard case .none = PreviewFeed(file: turned, previews: .rows).begin() else {
            Issue.record("a session")
            return
        }
    }

    @Test func `an animation has no previews`() throws {
        let noise = try Pictures.noise(40, 30)
        let file = try WebPFiles.animation(width: 40, height: 30, [(0, 0, noise), (0, 0, noise)])
        guard case .none = PreviewFeed(file: file, previews: .rows).begin() else {
            Issue.record("a session")
            return
        }
    }

    @Test func `of rows and passes, the first look waits for a sixteenth of the bytes`() throws {
        let file = try file("PNG")
        let session = try PreviewFeed(file: file, previews: .rows).session()
        func hasNews(_ count: Int, of expected: Int?) -> Bool {
            file.prefix(count).withUnsafeBytes { session.hasNews(in: $0, of: expected) }
        }
        #expect(!hasNews(file.count / 16 - 1, of: file.count) && hasNews(file.count / 16, of: file.count))
        #expect(!hasNews(10_000, of: nil) && hasNews(20_000, of: nil))
    }
}
