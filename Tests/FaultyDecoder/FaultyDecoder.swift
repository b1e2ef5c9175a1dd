package import CalotypeCodecs
package import Foundation
import Glibc

/// Reads files such as "FAULT crash 7": a fault, and a number from which a good image is made.
package struct FaultyDecoder: ImageDecoder {
    package static let standard = standard(readsHeaderInSwift: true)

    /// - Parameters:
    ///   - readsHeaderInSwift: If `false`, a worker reads headers, too.
    ///   - drawsVectors: Whether the files count as drawings.
    package static func standard(readsHeaderInSwift: Bool, drawsVectors: Bool = false) -> StandardDecoder {
        StandardDecoder(
            number: 100, decoder: FaultyDecoder(), formats: [ImageFormat(rawValue: "fault")], files: "FAULT",
            readsHeaderInSwift: readsHeaderInSwift, drawsVectors: drawsVectors)
    }

    package static func file(_ fault: Fault, _ number: Int = 0, side: Int = 16) -> Data {
        Data("FAULT \(fault.rawValue) \(number) \(side)".utf8)
    }

    private let words: @Sendable (Data) -> [Substring] = {
        String(decoding: $0, as: UTF8.self).split(separator: " ")
    }

    package func header(of data: Data) throws(CodecError) -> ImageHeader? {
        let side = Int(words(data)[3]) ?? 0
        return ImageHeader(format: ImageFormat(rawValue: "fault"), width: side, height: side)
    }

    package func workingBytes(for header: ImageHeader, scaledTo size: DecodeSize) -> Int {
        4 * header.width * header.height
    }

    package func decode(_ data: Data, header: ImageHeader, scaledTo size: DecodeSize) throws(CodecError) -> Bitmap {
        guard let fault = Fault(rawValue: String(words(data)[1])) else { throw CodecError(.damaged, "no such fault") }
        try fault.commit()
        let number = UInt32(words(data)[2]) ?? 0
        return try Bitmap(width: header.width, height: header.height, hasAlpha: false) { pixels, _ in
            fault.keep(pixels)
            if fault == .writesNothing { return }
            if fault == .readsOn {
                // The region of the file is larger than the file.
                data.withUnsafeBytes { file in
                    guard let start = file.baseAddress else { return }
                    pixels.copyMemory(from: UnsafeRawBufferPointer(start: start + file.count, count: pixels.count))
                }
                return
            }
            let pixels = pixels.bindMemory(to: UInt32.self)
            for index in pixels.indices { pixels[index] = 0xFF00_0000 | (number &+ UInt32(index)) & 0xFF_FFFF }
        }
    }
}
