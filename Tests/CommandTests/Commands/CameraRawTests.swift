import CalotypeCodecs
import CalotypeFuzzSupport
import Foundation
import Testing

/// The command with raw files of cameras.
struct CameraRawTests {
    private let calotype: Calotype
    private let raw = RawFile(preview: Pictures.jpeg(), thumbnail: Pictures.jpeg(seed: 2), orientation: 6)

    init() throws { calotype = try Calotype() }

    @Test func `a raw file is described by its preview and its own EXIF`() async throws {
        try calotype.write(raw.data(.cr3), to: "a.cr3")
        for options in [[], ["--isolate"]] {
            let ending = try await calotype.start(["info", "a.cr3"] + options).ending()
            #expect(ending.status == 0, "\(ending.errors)")
            #expect(ending.lines.first?.hasPrefix("a.cr3: raw 80×120, ") == true, "\(ending.lines)")
            #expect(ending.lines.first?.contains("orientation 6, 2026-05-01 12:30:00, Canon X1, by Ann Lee") == true)
        }
    }

    @Test func `a raw file becomes a JPEG, and keeps its EXIF`() async throws {
        try calotype.write(raw.data(.nef), to: "in/a.NEF")
        try calotype.write(Pictures.png(), to: "in/b.png")
        let ending = try await calotype("resize", "in", "-o", "out", "--size", "40", "--keep-metadata", "all")
        #expect(ending.status == 0 && Set(ending.lines) == ["out/a.jpg", "out/b.png"], "\(ending.errors)")
        let file = try Data(contentsOf: calotype.directory.appending(path: "out/a.jpg"))
        let header = try Pictures.header(file)
        #expect(header.format == .jpeg && header.uprightSize.width == 40 && header.orientation == 1)
        #expect(PhotoFacts(of: file).camera == "NIKON CORPORATION X1")
    }

    @Test func `a raw file and a JPEG of one stem do not overwrite each other`() async throws {
        try calotype.write(raw.data(.cr2), to: "a.cr2")
        try calotype.write(Pictures.jpeg(), to: "a.jpg")
        let ending = try await calotype("resize", "a.cr2", "a.jpg", "-o", "out", "--size", "40")
        #expect(ending.status == 2)
        #expect(
            ending.errors.hasPrefix("calotype: a.cr2: a.jpg would be written to out/a.jpg, too"), "\(ending.errors)")
    }

    @Test func `a raw file without a preview fails, and names its maker`() async throws {
        try calotype.write(RawFile.raf(Data("GIF89a".utf8), start: 1 << 20), to: "a.raf")
        let ending = try await calotype("info", "a.raf")
        #expect(ending.status == 1)
        #expect(ending.errors.contains("camera RAW (Fujifilm) is damaged: its preview lies outside the file"))
    }
}
