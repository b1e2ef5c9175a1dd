import CalotypeBase
import CalotypeCodecs
import CalotypeTesting
import Foundation
import Testing

@testable import CalotypeServer

/// The calls of Nextcloud's preview provider, over HTTP.
struct NextcloudServingTests {
    /// Returns the operations that Nextcloud sends, in JSON.
    ///
    /// - Parameters:
    ///   - first: The operation before the size: `autorotate` or `convert`; `nil` for HEIC.
    ///   - type: The type of the preview.
    static func operations(
        _ first: String?, isCropped: Bool = false, width: Int = 64, height: Int = 64, type: String
    ) -> ByteString {
        let parameters = first == "convert" ? #","params":{"type":"\#(type)"}"# : ""
        let start = first.map { #"{"operation":"\#($0)"\#(parameters)},"# } ?? ""
        let size = #""width":\#(width),"height":\#(height),"stripmeta":"true","type":"\#(type)","norotation":"true""#
        let name = isCropped ? "smartcrop" : "fit"
        return ByteString(#"[\#(start){"operation":"\#(name)","params":{\#(size),"quality":"80"}}]"#)
    }

    struct Sample: Sendable, CustomTestStringConvertible {
        let type: ByteString
        let file: Data
        var first: String? = "autorotate"
        var preview = "jpeg"

        var testDescription: String { type.string }
    }

    /// Files of 120 × 80 pixels.
    static let samples: [Sample] = {
        var samples = [
            Sample(type: "image/jpeg", file: SamplePhotos.jpeg(width: 120, height: 80)),
            Sample(type: "image/png", file: SamplePhotos.png(width: 120, height: 80, hasAlpha: true), preview: "png"),
            Sample(
                type: "image/gif",
                file: SampleAnimations.gif(width: 120, height: 80, colors: [0xFF0000, 0x00FF00]), preview: "png"),
            Sample(type: "image/webp", file: SamplePhotos.webp(width: 120, height: 80)),
        ]
        #if SVG
            let svg =
                #"<svg xmlns="http://www.w3.org/2000/svg" width="120" height="80"><rect width="60" height="80"/></svg>"#
            samples.append(Sample(type: "image/svg+xml", file: Data(svg.utf8), first: "convert", preview: "png"))
        #endif
        let bitmap = SamplePhotos.bitmap(width: 120, height: 80)
        samples.append(Sample(type: "image/bmp", file: bmp(bitmap)))
        #if TIFF
            samples.append(Sample(type: "image/tiff", file: tiff(bitmap)))
        #endif
        #if HEIF
            samples.append(Sample(type: "image/heic", file: SampleHEIC.turned, first: nil))
        #endif
        return samples
    }()

    @Test(arguments: samples, [false, true])
    func `each type of file has a preview of its type and size`(sample: Sample, isCropped: Bool)
        async throws
    {
        let server = try TestServer.forImaginary(key: "secret")
        for preview in [sample.preview, "webp"] {
            let operations = Self.operations(sample.first, isCropped: isCropped, type: preview)
            let answer = try await server.pipeline(operations, sample.file, type: sample.type, key: "secret")
            #expect(answer.status == 200, "\(answer.text)")
            #expect(
                answer.format?.rawValue == preview && answer.fields["Content-Type"] == "image/\(ByteString(preview))")
            let size = isCropped ? PixelSize(width: 64, height: 64) : PixelSize(width: 64, height: 43)
            #expect(answer.size == size)
            #expect(
                answer.fields["Image-Width"] == "\(size.width)" && answer.fields["Image-Height"] == "\(size.height)")
            // A preview shows the first image of an animation.
            #expect(try DecoderRegistry.standard.header(of: answer.body).frameCount == 1)
        }
    }

    @Test(arguments: [UInt8(1), 3, 6, 8]) func `a photograph is turned upright once`(orientation: UInt8) async throws {
        let server = try TestServer.forImaginary()
        let photo = SamplePhotos.jpeg(width: 120, height: 80)
        let isTurned = orientation >= 5
        let answer = try await server.pipeline(
            Self.operations("autorotate", width: 60, height: 60, type: "png"), photo.turned(orientation))
        let turns = [1: 0, 3: 2, 6: 1, 8: 3][orientation] ?? 0
        let upright = try await server.imaginary("/fit?width=60&height=60&type=png", photo)
        let expected = try DecoderRegistry.standard.decode(upright.body).applying(.rotate(quarterTurns: turns))
        #expect(answer.size == PixelSize(width: isTurned ? 40 : 60, height: isTurned ? 60 : 40))
        #expect(try DecoderRegistry.standard.decode(answer.body).isLike(expected))
        // A file whose orientation is left alone.
        let stored = try await server.pipeline(
            Self.operations(nil, width: 60, height: 60, type: "png"), photo.turned(orientation))
        #expect(stored.size == PixelSize(width: 60, height: 40))
    }

    #if HEIF
        @Test(arguments: [nil, "autorotate"])
        func `a HEIC is turned by its own properties alone, once`(first: String?) async throws {
            let server = try TestServer.forImaginary()
            let answer = try await server.pipeline(
                Self.operations(first, width: 60, height: 60, type: "png"), SampleHEIC.turned, type: "image/heic")
            #expect(answer.size == PixelSize(width: 60, height: 40))
            let bitmap = try DecoderRegistry.standard.decode(answer.body)
            let quarters = [(10, 10), (50, 10), (10, 30), (50, 30)].map { x, y in
                bitmap.withUnsafeBytes { pixels in
                    // Blue, green and red: the bits of the bright ones.
                    (0..<3).map { pixels[y * bitmap.stride + 4 * x + $0] > 127 }
                }
            }
            let (green, white) = ([false, true, false], [true, true, true])
            #expect(quarters == [green, white, [false, false, true], [true, false, false]])
        }
    #endif

    @Test func `a PDF is a 415 with a message in JSON`() async throws {
        let server = try TestServer.forImaginary()
        let answer = try await server.pipeline(
            Self.operations("convert", type: "png"), Data("%PDF-1.4\n1 0 obj\n".utf8), type: "application/pdf")
        #expect(answer.status == 415 && answer.failure?.isEmpty == false)
    }
}

extension Bitmap {
    /// Whether no channel differs by more than 16 from that of another bitmap.
    fileprivate func isLike(_ other: Bitmap) -> Bool {
        guard size == other.size else { return false }
        return withUnsafeBytes { first in
            other.withUnsafeBytes { second in
                (0..<height).allSatisfy { y in
                    (0..<4 * width).allSatisfy { x in
                        abs(Int(first[y * stride + x]) - Int(second[y * other.stride + x])) <= 16
                    }
                }
            }
        }
    }
}

/// Returns a BMP of 24 bits, without compression.
private func bmp(_ bitmap: Bitmap) -> Data {
    let row = (3 * bitmap.width + 3) / 4 * 4
    var file = Data("BM".utf8)
    let size = row * bitmap.height
    for (number, count) in [
        (54 + size, 4), (0, 4), (54, 4), (40, 4), (bitmap.width, 4), (bitmap.height, 4), (1, 2), (24, 2), (0, 4),
        (size, 4), (0, 16),
    ] {
        file += (0..<count).map { $0 < 8 ? UInt8(number >> (8 * $0) & 255) : 0 }
    }
    bitmap.withUnsafeBytes { pixels in
        for y in (0..<bitmap.height).reversed() {
            for x in 0..<bitmap.width { file += pixels[y * bitmap.stride + 4 * x..<y * bitmap.stride + 4 * x + 3] }
            file += [UInt8](repeating: 0, count: row - 3 * bitmap.width)
        }
    }
    return file
}

#if TIFF
    /// Returns a TIFF of 24 bits in one strip, without compression.
    private func tiff(_ bitmap: Bitmap) -> Data {
        func bytes(_ number: Int, _ count: Int) -> [UInt8] { (0..<count).map { UInt8(number >> (8 * $0) & 255) } }
        let pixels = 3 * bitmap.width * bitmap.height
        let entries: [(tag: Int, type: Int, count: Int, value: Int)] = [
            (256, 4, 1, bitmap.width), (257, 4, 1, bitmap.height), (258, 3, 3, 8 + pixels), (259, 3, 1, 1),
            (262, 3, 1, 2), (273, 4, 1, 8), (277, 3, 1, 3), (278, 4, 1, bitmap.height), (279, 4, 1, pixels),
        ]
        var file = Data("II".utf8)
        file += bytes(42, 2)
        file += bytes(8 + pixels + 6, 4)
        bitmap.withUnsafeBytes { source in
            for y in 0..<bitmap.height {
                for x in 0..<bitmap.width { file += [2, 1, 0].map { source[y * bitmap.stride + 4 * x + $0] } }
            }
        }
        for number in [8, 8, 8, entries.count] { file += bytes(number, 2) }
        for entry in entries {
            file += bytes(entry.tag, 2)
            file += bytes(entry.type, 2)
            file += bytes(entry.count, 4)
            file += bytes(entry.value, 4)
        }
        return file + bytes(0, 4)
    }
#endif
