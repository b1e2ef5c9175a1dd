import CalotypeCodecs
import CalotypeTesting
import Foundation

/// A decoder whose images of 100 × 100 pixels are ready once a gate opens.
struct HeldDecoder: ImageDecoder {
    /// A file that this decoder reads. Files with different numbers have different digests.
    static func file(_ number: Int = 0) -> Data { Data("HELD \(number)".utf8) }

    let gate: Gate

    func header(of data: Data) throws(CodecError) -> ImageHeader? {
        guard data.starts(with: Data("HELD ".utf8)) else { return nil }
        return ImageHeader(format: ImageFormat(rawValue: "held"), width: 100, height: 100)
    }

    func workingBytes(for header: ImageHeader, scaledTo size: DecodeSize) -> Int { 100 * 100 * 4 }

    func decode(_ data: Data, header: ImageHeader, scaledTo size: DecodeSize) throws(CodecError) -> Bitmap {
        gate.waitBlocking()
        return SamplePhotos.bitmap(width: 100, height: 100)
    }
}
