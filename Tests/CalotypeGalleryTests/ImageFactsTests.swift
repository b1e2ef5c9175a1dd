import Calotype
import CalotypeCodecs
import CalotypeTesting
import Foundation
import Testing

@testable import CalotypeGallery

struct ImageFactsTests {
    private func text(_ facts: ImageFacts, _ title: String) -> String? {
        facts.lines.first { $0.title == title }?.text
    }

    @Test func `a photograph's format, size and bytes`() throws {
        let jpeg = SamplePhotos.jpeg()
        let facts = try ImageFacts.read(jpeg, .standard)
        let size = try #require(facts.size)
        #expect(text(facts, ViewerTexts.format)?.hasPrefix("JPEG") == true)
        #expect(text(facts, ViewerTexts.size)?.hasPrefix("\(size.width) × \(size.height)") == true)
        #expect(text(facts, ViewerTexts.fileSize) == Amount.bytes(jpeg.count))
        #expect(text(facts, ViewerTexts.profile) != nil)
        #expect(text(facts, ViewerTexts.animation) == nil)
    }

    @Test func `an animation says how many frames it has and how long they take`() throws {
        let gif = SampleAnimations.gif(width: 20, height: 10, colors: [0xFF0000, 0x00FF00, 0x0000FF])
        let facts = try ImageFacts.read(gif, .standard)
        #expect(text(facts, ViewerTexts.animation)?.hasPrefix("3 frames, ") == true)
    }

    @Test func `what is no image has no facts`() {
        #expect(throws: CodecError.self) { try ImageFacts.read(Data("hello".utf8), .standard) }
        #expect(ImageFacts().lines.isEmpty)
    }

    @Test(arguments: [
        (0, "0 bytes"), (999, "999 bytes"), (1000, "1.0 kB"), (999_949, "999.9 kB"), (999_951, "1.0 MB"),
        (3_240_000, "3.2 MB"), (5_000_000_000, "5.0 GB"),
    ])
    func `bytes are written by thousands`(_ count: Int, _ text: String) { #expect(Amount.bytes(count) == text) }

    @Test(arguments: [
        (Duration.microseconds(300), "< 1 ms"), (.microseconds(1400), "1 ms"), (.milliseconds(999), "999 ms"),
        (.microseconds(999_600), "1.0 s"), (.milliseconds(2440), "2.4 s"),
    ])
    func `durations are written in the unit that fits`(_ duration: Duration, _ text: String) {
        #expect(Amount.duration(duration) == text)
    }

    @Test(arguments: [
        ("cat.jpg", ImageFormat.jpeg, "cat.jpg"), ("cat.JPEG", .jpeg, "cat.JPEG"), ("cat", .webp, "cat.webp"),
        ("cat.png", .jpeg, "cat.png.jpg"), ("a/b\0c", .png, "a-b-c.png"), ("../..", .gif, "-...gif"),
        ("", .png, "image.png"), ("v1.2", .jpeg, "v1.2.jpg"),
    ])
    func `the name to save under has the format's extension and nothing that no file may contain`(
        _ name: String, _ format: ImageFormat, _ expected: String
    ) {
        #expect(FileNaming.name(for: name, format) == expected)
    }
}
