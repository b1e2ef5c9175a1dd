import CalotypeCodecs
import CalotypeFuzzSupport
import Foundation

// The inflating of a PNG's pixels by ISA-L, beside libspng with zlib. An input is the form of an image and the stream of its
// IDAT chunks, so that mutations are in the stream alone.

@_cdecl("LLVMFuzzerInitialize")
public func initialize(_ count: UnsafeMutableRawPointer?, _ arguments: UnsafeMutableRawPointer?) -> Int32 {
    Seeds.writeIfAsked { PNGStream.seeds }
}

@_cdecl("LLVMFuzzerTestOneInput")
public func test(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    guard let stream = PNGStream(input(bytes, count)) else { return -1 }
    let file = stream.file
    let reference = SpngReference(file, checksSums: false)
    guard let header = try? PNGDecoder().header(of: file) else { return -1 }
    let full = PixelSize(width: header.width, height: header.height)
    let size = DecodeSize(full, of: full)
    // Without checksums: a mutated stream never has the right one.
    if let whole = try? PNGDecoder(checksSums: false).decode(file, header: header, scaledTo: size),
        reference.failure == nil
    {
        compare(whole, reference, rows: reference.height)
    }
    // The whole file's rows up to the first damaged one. Interlaced ones are spread over the image.
    if let part = try? PNGDecoder().decodePartial(file, header: header, scaledTo: size), !header.isProgressive {
        compare(part, reference, rows: reference.rowCount)
    }
    // With checksums.
    _ = try? PNGDecoder().decode(file, header: header, scaledTo: size)
    return 0
}

/// Requires the same pixels in the rows that both have.
private func compare(_ bitmap: Bitmap, _ reference: SpngReference, rows: Int) {
    bitmap.withUnsafeBytes { bytes in
        for y in 0..<min(rows, bitmap.height) {
            // A row of zeros is missing: the images are opaque.
            guard bytes[y * bitmap.stride + 3] != 0 else { return }
            for x in 0..<bitmap.width {
                let (ours, theirs) = (y * bitmap.stride + 4 * x, 4 * (y * reference.width + x))
                let isEqual = (0..<3).allSatisfy { bytes[ours + $0] == reference.pixels[theirs + 2 - $0] }
                require(isEqual, "the pixel \(x), \(y) is not that of libspng")
            }
        }
    }
}

/// The form of an image in three bytes, and the stream of its pixels.
private struct PNGStream {
    private let kind: (color: UInt8, depth: UInt8)
    private let isInterlaced: Bool
    private let width: UInt8
    private let height: UInt8
    private let chunkCount: Int
    private let content: Data

    /// Opaque kinds.
    private static let kinds: [(color: UInt8, depth: UInt8)] = [
        (0, 8), (2, 8), (3, 8), (0, 1), (0, 2), (0, 4), (3, 1), (3, 4),
    ]

    init?(_ input: Data) {
        guard input.count > 3 else { return nil }
        let form = [UInt8](input.prefix(3))
        kind = Self.kinds[Int(form[0] & 7)]
        isInterlaced = form[0] & 8 != 0
        chunkCount = 1 + Int(form[0] >> 4)
        (width, height) = (1 + form[1] % 128, 1 + form[2] % 64)
        content = input.dropFirst(3)
    }

    /// The file, with the right checksums of its chunks.
    var file: Data {
        var file = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
        let form: [UInt8] = [0, 0, 0, width, 0, 0, 0, height, kind.depth, kind.color, 0, 0, isInterlaced ? 1 : 0]
        file.appendChunk("IHDR", Data(form))
        if kind.color == 3 {
            file.appendChunk("PLTE", Data((0..<3 << kind.depth).map { UInt8(truncatingIfNeeded: $0) }))
        }
        let step = max(1, content.count / chunkCount)
        for start in stride(from: content.startIndex, to: content.endIndex, by: step) {
            file.appendChunk("IDAT", content[start..<min(start + step, content.endIndex)])
        }
        file.appendChunk("IEND", Data())
        return PNGChecksums.mended(file)
    }

    /// Rows of each filter in a stored block, with fixed codes, and with dynamic ones: the streams of real files.
    static var seeds: [Data] {
        let forms: [[UInt8]] = [[0x01, 15, 8], [0x10, 15, 8], [0x22, 32, 46], [0x49, 32, 46]]
        let stored: [UInt8] = [0x78, 0x01, 1, 34, 0, 221, 255] + (0..<34).map { $0 % 17 == 0 ? 4 : UInt8($0) }
        var streams = [Data(stored), Data([0x78, 0x9C, 0x63, 0x60, 0x60, 0x60, 0, 0, 0, 4, 0, 1])]
        streams += ((try? ImageSeeds.all) ?? []).compactMap(Self.pixels)
        return forms.flatMap { form in streams.map { Data(form) + $0 } }
    }

    /// Returns the content of a PNG's first IDAT chunk.
    private static func pixels(of file: Data) -> Data? {
        guard let name = file.range(of: Data("IDAT".utf8)), name.lowerBound >= 4 else { return nil }
        let length = file[name.lowerBound - 4..<name.lowerBound].reduce(0) { $0 << 8 | Int($1) }
        return length <= file.endIndex - name.upperBound ? file[name.upperBound..<name.upperBound + length] : nil
    }
}

extension Data {
    fileprivate mutating func appendChunk(_ name: String, _ content: Data) {
        append(contentsOf: (0..<4).reversed().map { UInt8(truncatingIfNeeded: content.count >> (8 * $0)) })
        append(contentsOf: name.utf8)
        append(content)
        append(contentsOf: [0, 0, 0, 0])
    }
}
