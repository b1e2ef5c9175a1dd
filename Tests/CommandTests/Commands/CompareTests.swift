import CalotypeCodecs
import CalotypeComparison
import CalotypeFuzzSupport
import CalotypeTesting
import Foundation
import Testing

@testable import calotype_command

/// `calotype compare`.
struct CompareTests {
    private let calotype: Calotype

    init() throws { calotype = try Calotype() }

    @Test func `equal images are equal, whatever their format`() async throws {
        let bitmap = try DecoderRegistry.standard.decode(Pictures.png())
        try calotype.write(Pictures.png(), to: "a.png")
        try calotype.write(bitmap.encoded(as: .webpLossless), to: "b.webp")
        let ending = try await calotype("compare", "a.png", "b.webp")
        #expect(ending.status == 0, "\(ending.errors)")
        #expect(ending.lines == ["a.png and b.webp: equal"])
    }

    @Test func `the ratio of equal images is null in JSON`() async throws {
        try calotype.write(Pictures.png(), to: "a.png")
        let ending = try await calotype("compare", "a.png", "a.png", "--json")
        let record = try #require(try JSONSerialization.jsonObject(with: ending.output) as? [String: Any])
        #expect(record["psnr"] is NSNull && record["ssim"] as? Double == 1 && record["equal"] as? Bool == true)
        #expect(JSON.line(["measured": JSONNumber(value: .infinity)]) == #"{"measured":null}"#)
    }

    @Test func `all measures fall as the quality does`() async throws {
        let bitmap = try DecoderRegistry.standard.decode(SamplePhotos.png(width: 160, height: 120))
        try calotype.write(bitmap.encoded(as: .png), to: "a.png")
        var measures: [(ssim: Double, psnr: Double)] = []
        var scores: [Double] = []
        for quality in [95, 60, 10] {
            try calotype.write(bitmap.encoded(as: .jpeg(quality: quality)), to: "b.jpg")
            let ending = try await calotype("compare", "a.png", "b.jpg", "--json")
            #expect(ending.status == 0, "\(ending.errors)")
            let record = try #require(try JSONSerialization.jsonObject(with: ending.output) as? [String: Any])
            scores.append(try #require(record["ssimulacra2"] as? Double))
            measures.append((try #require(record["ssim"] as? Double), try #require(record["psnr"] as? Double)))
        }
        #expect(measures[0].ssim > measures[1].ssim && measures[1].ssim > measures[2].ssim)
        #expect(measures[0].psnr > measures[1].psnr && measures[1].psnr > measures[2].psnr)
        #expect(100 > scores[0] && scores[0] > scores[1] && scores[1] > scores[2])
        #expect(measures[0].ssim < 1 && measures[2].psnr > 10)
    }

    @Test func `the ratio is the one of its definition`() async throws {
        let images = try [100, 110].map { (level: UInt8) in
            try Bitmap(width: 20, height: 20, hasAlpha: false) { pixels, _ in
                for index in pixels.indices { pixels[index] = index % 4 == 3 ? 255 : level }
            }
        }
        let comparison = try #require(ImageComparison(images[0], images[1]))
        // A difference of 10 everywhere: 10 log10(255² / 100).
        #expect(abs(comparison.signalToNoise - 28.1308) < 0.0001)
        // Without structure, only the ratio of the means remains (Wang et al., equation 6).
        let c1 = 6.5025
        #expect(abs(comparison.similarity - (2 * 100 * 110 + c1) / (100 * 100 + 110 * 110 + c1)) < 1e-9)
    }

    @Test func `bands of a tall image give what the whole gives`() throws {
        let bitmap = try DecoderRegistry.standard.decode(SamplePhotos.png(width: 40, height: 300))
        let other = try DecoderRegistry.standard.decode(try bitmap.encoded(as: .jpeg(quality: 40)))
        let comparison = try #require(ImageComparison(bitmap, other))
        #expect(abs(comparison.similarity - Plane(bitmap).similarity(to: Plane(other))) < 1e-9)
    }

    @Test func `--output writes both, side by side`() async throws {
        try calotype.write(Pictures.png(), to: "a.png")
        try calotype.write(Pictures.jpeg(), to: "b.jpg")
        let ending = try await calotype("compare", "a.png", "b.jpg", "--output", "both.png")
        #expect(ending.status == 0, "\(ending.errors)")
        let both = try DecoderRegistry.standard.decode(try calotype.contents("both.png"))
        #expect(both.width == 248 && both.height == 80)
        let left = try both.applying(ImageSteps.Crop(PixelSize(120, 80), gravity: .left))
        let right = try both.applying(ImageSteps.Crop(PixelSize(120, 80), gravity: .right))
        let originals = try [Pictures.png(), Pictures.jpeg()].map { try DecoderRegistry.standard.decode($0) }
        #expect(ImageComparison(left, originals[0])?.isEqual == true)
        #expect(ImageComparison(right, originals[1])?.isEqual == true)
        let again = try await calotype("compare", "a.png", "b.jpg", "--output", "both.png")
        #expect(again.status == 1 && again.errors.contains("both.png already exists; --overwrite replaces it"))
    }

    @Test func `images of different sizes, and what is no image, fail with the reason`() async throws {
        try calotype.write(Pictures.png(), to: "a.png")
        try calotype.write(SamplePhotos.png(width: 12, height: 8), to: "b.png")
        try calotype.write("text", to: "c.png")
        let sizes = try await calotype("compare", "a.png", "b.png")
        #expect(sizes.status == 1)
        #expect(sizes.errors.contains("the images differ in size (120×80 and 12×8)"))
        let text = try await calotype("compare", "a.png", "c.png")
        #expect(text.status == 1 && text.errors.contains("c.png: not"))
    }

    @Test func `--hdr compares what an HDR display shows`() async throws {
        let files = try GainMapSeeds.all
        try calotype.write(files[0], to: "a.jpg")
        let bare = try DecoderRegistry.standard.decode(files[0]).encoded(as: .png)
        try calotype.write(bare, to: "b.png")
        func measured(_ words: String...) async throws -> [String: Double] {
            let ending = try await calotype.start(["compare", "a.jpg", "b.png", "--hdr", "--json"] + words).ending()
            #expect(ending.status == 0, "\(ending.errors)")
            let record = try JSONSerialization.jsonObject(with: ending.output) as? [String: Any]
            #expect(record?["equal"] as? Bool == true)
            return try #require(record?["hdr"] as? [String: Double])
        }
        // The map of the one applies as a whole at two stops.
        let whole = try await measured()
        #expect(whole["headroom"] == 2 && whole["mean"] ?? 0 > 1 && whole["max"] ?? 0 > 10)
        let half = try await measured("--headroom", "1")
        #expect(half["headroom"] == 1 && half["mean"] ?? 0 > 0.5 && half["mean"] ?? 0 < whole["mean"] ?? 0)
        #expect(try await measured("--headroom", "0") == ["headroom": 0, "mean": 0, "max": 0])
        let text = try await calotype("compare", "a.jpg", "a.jpg", "--hdr")
        #expect(
            text.lines == [
                "a.jpg and a.jpg: equal; at 2.00 stops of headroom PQ differs by 0.00 of 255, 0.0 at most"
            ])
    }

    @Test func `--at-least decides the status`() async throws {
        try calotype.write(Pictures.png(), to: "a.png")
        try calotype.write(
            try DecoderRegistry.standard.decode(Pictures.png()).encoded(as: .jpeg(quality: 30)), to: "b.jpg")
        #expect(try await calotype("compare", "a.png", "b.jpg", "--at-least", "psnr=10").status == 0)
        let short = try await calotype("compare", "a.png", "b.jpg", "--at-least", "psnr=79")
        #expect(short.status == 1)
        #expect(short.lines.first?.firstMatch(of: /; \d+\.\d\d short of psnr=79.0$/) != nil, "\(short.lines)")
        #expect(try await calotype("compare", "a.png", "b.jpg", "--at-least", "psnr=lots").status == 2)
    }
}
