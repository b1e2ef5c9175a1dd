import CalotypeCodecs
import CalotypeFuzzSupport
import Foundation
import Testing

/// Raw files that are damaged, or laid out to take time.
@Suite struct RawBoundTests {
    private let here = DecoderRegistry.standard.isolated(by: .off)
    private let preview: Data
    private let thumbnail: Data
    private let raw: RawFile

    init() throws {
        preview = try JPEGFiles.make(Pictures.quarters(96, 64))
        thumbnail = try JPEGFiles.make(Pictures.gradient(40, 24))
        raw = RawFile(preview: preview, thumbnail: thumbnail)
    }

    private typealias Entry = TIFFFile.Entry

    private func dng(_ entries: TIFFFile.Directory, _ chain: [TIFFFile.Directory] = []) -> Data {
        TIFFFile.data(RawFile.little, [[.text(271, "Apple"), .bytes(50706, Data([1, 4, 0, 0]))] + entries] + chain)
    }

    private func failure(_ file: Data) -> CodecError? {
        #expect(throws: CodecError.self) { try here.header(of: file) }
    }

    private func width(_ file: Data) -> Int? { try? here.header(of: file).width }

    @Test func `a preview outside the file is damage that names it`() {
        for start in [raw.data(.raf).count, 1 << 20, Int(UInt32.max)] {
            let error = failure(RawFile.raf(preview, start: start))
            #expect(error?.code == .damaged, "\(start)")
            #expect(error?.message == "camera RAW (Fujifilm) is damaged: its preview lies outside the file")
        }
        for start in [1 << 20, Int(UInt32.max)] {
            #expect(failure(dng([.long(513, start), .long(514, 100)]))?.code == .damaged)
            #expect(failure(dng([.long(513, start), .long(514, Int(UInt32.max))]))?.code == .damaged)
            let boxes = RawBoxFile.brand + RawBoxFile.box("moov", RawBoxFile.track(start: start, length: 100))
            #expect(failure(boxes)?.code == .damaged)
        }
    }

    @Test func `a preview that is no JPEG, or is the raw file itself, is damage that names it`() {
        for start in [0, 8, 9, 107, 109] {
            let error = failure(RawFile.raf(preview, start: start))
            #expect(error?.message == "camera RAW (Fujifilm) is damaged: its preview is no JPEG", "\(start)")
        }
        for start in [0, 4, 8] {
            let error = failure(dng([.long(513, start), .long(514, 1 << 20)]))
            #expect(error?.code == .damaged && error?.message.contains("no JPEG") == true)
        }
        for bytes in [
            Data("GIF89a".utf8), Data([0xFF, 0xD8, 0xFF]), Data([0xFF, 0xD8, 0xFF, 0xD9]), preview.prefix(30),
        ] {
            #expect(failure(RawFile.raf(bytes))?.code == .damaged)
        }
    }

    @Test func `a preview without a length, or of none, is none`() {
        for entries in [
            [], [Entry.places(513, preview)], [.places(513, preview), .long(514, 0)], [.long(514, 10)],
            [.places(513, preview, preview), .long(514, preview.count)],
        ] {
            let error = failure(dng(entries))
            #expect(error?.code == .unsupported)
            #expect(error?.message == "camera RAW (Apple) without a preview is not supported")
        }
        #expect(failure(RawFile.raf(preview, length: 0))?.code == .unsupported)
        #expect(failure(RawBoxFile.brand)?.message == "camera RAW (Canon) without a preview is not supported")
    }

    @Test func `a length beyond the file, or beyond the next preview, does no harm`() {
        for length in [preview.count, preview.count + 1, 1 << 24, Int(UInt32.max)] {
            #expect(width(RawFile.raf(preview, length: length)) == 96)
            #expect(width(dng([.places(513, preview), .long(514, length)])) == 96)
        }
    }

    @Test func `samples of a sensor, depth maps and masks are no previews, although they are JPEGs`() throws {
        let photo = try JPEGFiles.make(Pictures.gradient(200, 100))
        for part in [
            RawFile.strip(RawFile.samples), RawFile.strip(photo, meaning: 32803), RawFile.strip(photo, meaning: 34892),
            RawFile.strip(photo, meaning: 51177), RawFile.strip(photo, meaning: 52527),
            RawFile.strip(photo, meaning: 4),
            RawFile.strip(photo, compression: 1),
            RawFile.jpeg(RawFile.samples),
        ] {
            #expect(width(dng([.directories(330, [part])] + RawFile.jpeg(preview))) == 96)
            #expect(failure(dng([.directories(330, [part])]))?.code == .unsupported)
        }
        #expect(width(dng([.directories(330, [RawFile.strip(photo, meaning: 1)])])) == 200)
        #expect(width(dng([.directories(330, [RawFile.strip(photo, meaning: 2)])])) == 200)
    }

    @Test func `an image in several strips or tiles is none`() throws {
        let strips: TIFFFile.Directory = [
            .short(259, 7), .short(262, 6), .places(273, preview, preview),
            Entry.bytes(279, Data(count: 8)),
        ]
        #expect(failure(dng([.directories(330, [strips])]))?.code == .unsupported)
        let tile: TIFFFile.Directory = [
            .short(259, 7), .short(262, 6), .places(324, preview), .long(325, preview.count),
        ]
        #expect(width(dng([.directories(330, [tile])])) == 96)
    }

    @Test func `two directories with one preview are one image, whatever their lengths`() throws {
        var file = dng([.places(513, preview), .long(514, 3)], [RawFile.jpeg(thumbnail)])
        let start = try #require(file.range(of: preview)).lowerBound
        let (whole, part) = (preview.count, preview.count - 90)
        for lengths in [(3, whole), (whole, 3), (part, whole), (whole, part), (whole, whole)] {
            file = TIFFFile.data(
                RawFile.little,
                [
                    [
                        .text(271, "Apple"), .bytes(50706, Data([1, 4, 0, 0])), .places(513, preview),
                        .long(514, lengths.0),
                    ],
                    [.long(513, start), .long(514, lengths.1)],
                ])
            #expect(try #require(file.range(of: preview)).lowerBound == start)
            #expect(try here.decode(file).width == 96, "\(lengths)")
        }
    }

    @Test func `directories in a circle are read once`() throws {
        // The first directory, whose parts and successor are itself.
        var file = dng([.long(330, 8)] + RawFile.jpeg(preview))
        let end = 8 + 2 + 12 * 5
        file.replaceSubrange(end..<end + 4, with: Data([8, 0, 0, 0]))
        #expect(width(file) == 96)
        // Two that point to each other, and an exposure that is the first directory.
        file = dng([.long(34665, 8)], [[.long(330, 8)] + RawFile.jpeg(preview)])
        #expect(width(file) == 96)
    }

    @Test(arguments: [(63, true), (64, true), (65, false)])
    func `64 directories are read`(count: Int, isFound: Bool) {
        let others = Array(repeating: [Entry.long(256, 1)], count: count - 2)
        #expect((width(dng([], others + [RawFile.jpeg(preview)])) == 96) == isFound)
    }

    @Test(arguments: [(1023, true), (1024, true), (1025, false)])
    func `1,024 entries of a directory are read`(count: Int, isFound: Bool) {
        let others = Array(repeating: Entry.long(256, 1), count: count - 4)
        #expect((width(dng(others + RawFile.jpeg(preview))) == 96) == isFound)
    }

    @Test(arguments: [(15, true), (16, true), (17, false)])
    func `16 parts of a directory are read`(count: Int, isFound: Bool) {
        let others = Array(repeating: [Entry.long(256, 1)], count: count - 1)
        #expect((width(dng([.directories(330, others + [RawFile.jpeg(preview)])])) == 96) == isFound)
    }

    @Test(arguments: [(63, true), (64, true), (65, false)])
    func `64 boxes of a level are read`(count: Int, isFound: Bool) {
        let others = Data(Array(repeating: RawBoxFile.box("free", Data()), count: count - 1).joined())
        #expect((width(RawBoxFile.brand + others.dropFirst(8) + RawBoxFile.preview(preview)) == 96) == isFound)
        let below = RawBoxFile.brand + RawBoxFile.preview(preview, behind: others)
        #expect((width(below) == 96) == isFound)
    }

    @Test(arguments: [(1023, true), (1024, true), (1025, false)])
    func `1,024 entries of a directory at the end are read`(count: Int, isFound: Bool) {
        let others = Array(repeating: (tag: 1, data: Data([1])), count: count - 1)
        let crw = Data("II".utf8) + [14, 0, 0, 0] + Data("HEAPCCDR".utf8) + RawFile.heap(others + [(0x2007, preview)])
        #expect((width(crw) == 96) == isFound)
    }

    @Test func `a directory at the end that lies outside is none, and a heap may be itself`() {
        for end in [0, 1, 13, 14, 1 << 20, Int(UInt32.max)] {
            for start in ["II\u{1A}\0\0\0HEAPCCDR", "FOVb\0\0\0\0"] {
                let file = Data(start.utf8) + Data(count: 40) + RawBoxFile.bytes(end, 4).reversed()
                #expect(failure(file)?.code == .unsupported, "\(end)")
            }
        }
        // A heap whose properties are all of it.
        let values: [(tag: Int, data: Data)] = [(0x300A, Data(count: 40)), (0x2007, preview)]
        var crw = Data("II".utf8) + [14, 0, 0, 0] + Data("HEAPCCDR".utf8) + RawFile.heap(values)
        let length = crw.count - 14
        let entry = crw.count - 4 - 20
        crw.replaceSubrange(entry + 2..<entry + 6, with: Data(RawBoxFile.bytes(length, 4).reversed()))
        #expect(width(crw) == 96)
    }

    @Test func `65,535 entries, as many parts and nested boxes end at once`() {
        let entries = Data((0..<65_535).flatMap { _ in [0x4A, 1, 4, 0, 0xFF, 0xFF, 0, 0, 8, 0, 0, 0] as [UInt8] })
        #expect(failure(RawFile.little.dropLast(4) + [8, 0, 0, 0, 0xFF, 0xFF] + entries) != nil)
        let nested = (0..<20_000).reduce(Data()) { data, _ in
            RawBoxFile.bytes(data.count + 8, 4) + Data("moov".utf8) + data
        }
        #expect(failure(RawBoxFile.brand + nested)?.code == .unsupported)
        let tracks = Data((0..<20_000).flatMap { _ in [0, 0, 0, 8] + Array("trak".utf8) })
        #expect(failure(RawBoxFile.brand + RawBoxFile.box("moov", tracks))?.code == .unsupported)
    }

    @Test func `many previews without a frame are read up to a limit of bytes`() throws {
        // One JPEG without any segment; a directory for each of its first bytes that could begin one.
        let empty = Data([0xFF, 0xD8, 0xFF, 0x00]) + Data(count: 20 << 20)
        let chain = Array(repeating: [Entry.long(513, 26), .long(514, empty.count)], count: 62)
        let head = RawFile.little + Data("CR".utf8) + Data(count: 16) + empty
        #expect(
            failure(TIFFFile.data(head, [[.text(271, "Canon")]] + chain + [RawFile.jpeg(preview)]))?.code == .damaged)
        #expect(width(TIFFFile.data(head, [[.text(271, "Canon")] + RawFile.jpeg(preview)] + chain)) == 96)
    }

    @Test func `a CR3 with boxes that lie about their sizes fails with a typed error, or shows a preview`() {
        let file = raw.data(.cr3)
        for offset in stride(from: 24, to: min(file.count, 900), by: 1) {
            for value in [0, 1, 7, 8, 255] as [UInt8] {
                var changed = file
                changed[offset] = value
                do throws(CodecError) { _ = try here.header(of: changed) } catch {
                    #expect([.damaged, .unsupported].contains(error.code), "\(error) at \(offset)")
                }
            }
        }
    }
}
