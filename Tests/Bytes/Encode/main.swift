import Foundation

// The JPEG encoder alone, with tables of the caller's: a line of standard input has the paths of a PPM and of the result, and then two
// or three quantization tables in zigzag order, all numbers with commas between them. A line of the output has the result's size.
// Compiled by Scripts/tune-jpeg together with the encoder's files, for which the next two types stand in.

struct CodecError: Error {
    enum Code { case tooLarge }

    init(_ code: Code, _ message: String) {}
}

struct WorkMemory: ~Copyable {
    let start: UnsafeMutableRawPointer

    init(bytes count: Int) throws(CodecError) {
        guard let start = calloc(max(count, 1), 1) else { throw CodecError(.tooLarge, "no memory") }
        self.start = start
    }

    deinit { free(start) }

    var bytes: UnsafeMutablePointer<UInt8> { start.assumingMemoryBound(to: UInt8.self) }
}

/// The pixels of a PPM with 8 bits per channel.
struct Picture {
    let width: Int, height: Int
    let pixels: [UInt32]

    init(_ path: String) throws {
        let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
        var (numbers, position) = ([Int](), 2)
        while numbers.count < 3 {
            let digits = bytes[position...].drop { $0 <= 32 }.prefix { $0 > 32 }
            numbers.append(digits.reduce(0) { 10 * $0 + Int($1) - 48 })
            position = digits.endIndex
        }
        (width, height) = (numbers[0], numbers[1])
        pixels = stride(from: position + 1, to: bytes.count, by: 3).map {
            0xFF00_0000 | UInt32(bytes[$0]) << 16 | UInt32(bytes[$0 + 1]) << 8 | UInt32(bytes[$0 + 2])
        }
    }
}

var pictures: [String: Picture] = [:]
setvbuf(stdout, nil, _IOLBF, 0)
while let line = readLine() {
    let words = line.split(separator: " ").map(String.init)
    let picture = try pictures[words[0]] ?? Picture(words[0])
    pictures[words[0]] = picture
    let steps = words[2].split(separator: ",").compactMap { UInt8($0) }
    let tables = stride(from: 0, to: steps.count, by: 64).map { Array(steps[$0..<$0 + 64]) }
    let file = try picture.pixels.withUnsafeBytes { pixels in
        // A picture has at least one pixel.
        let source = JPEGSource(
            pixels.baseAddress!, width: picture.width, height: picture.height, stride: 4 * picture.width, blended: nil)
        return try JPEGFile(
            source: source, tables: JPEGTables(subsampled: tables, full: tables), isProgressive: false,
            keepsColors: false, profile: nil
        ).write()
    }
    try file.write(to: URL(filePath: words[1]))
    print(file.count)
}
