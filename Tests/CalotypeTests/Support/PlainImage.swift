import CalotypeBase
import CalotypeCodecs
import Foundation

/// A decoder of the tests' own format: "PLAIN width height blue" becomes an image of that color. It counts its decodes.
final class PlainDecoder: ImageDecoder {
    private let blues = Locked([UInt8]())
    private let hook: (@Sendable () -> Void)?

    /// - Parameter hook: Called on the codec's thread before each decode.
    init(hook: (@Sendable () -> Void)? = nil) {
        self.hook = hook
    }

    var decodeCount: Int { decodedBlues.count }

    /// The blue values of the decoded images, in order.
    var decodedBlues: [UInt8] { blues.withLock { $0 } }

    static func data(_ width: Int = 4, _ height: Int = 3, blue: UInt8 = 200) -> Data {
        Data("PLAIN \(width) \(height) \(blue)".utf8)
    }

    func header(of data: Data) throws(CodecError) -> ImageHeader? {
        guard data.starts(with: Data("PLAIN ".utf8)) else { return nil }
        let words = self.words(data)
        guard words.count == 4, let width = Int(words[1]), let height = Int(words[2]) else {
            throw CodecError(.damaged, "not a plain picture")
        }
        return ImageHeader(format: ImageFormat(rawValue: "plain"), width: width, height: height)
    }

    func workingBytes(for header: ImageHeader, scaledTo size: DecodeSize) -> Int {
        4 * size.result.width * size.result.height
    }

    func decode(_ data: Data, header: ImageHeader, scaledTo size: DecodeSize) throws(CodecError) -> Bitmap {
        hook?()
        guard let blue = UInt8(words(data)[3]) else { throw CodecError(.damaged, "no such blue") }
        blues.withLock { $0.append(blue) }
        return try .plain(size.result.width, size.result.height, blue: blue)
    }

    /// Returns the words at the beginning: tests pad their images.
    private func words(_ data: Data) -> [Substring] {
        String(decoding: data.prefix(64), as: UTF8.self).split(separator: " ")
    }
}

extension Bitmap {
    static func plain(_ width: Int, _ height: Int, blue: UInt8 = 200) throws(CodecError) -> Bitmap {
        try Bitmap(width: width, height: height, hasAlpha: false) { pixels, _ in
            for offset in Swift.stride(from: 0, to: pixels.count, by: 4) {
                pixels.storeBytes(of: 0xFF00_0000 | UInt32(blue), toByteOffset: offset, as: UInt32.self)
            }
        }
    }

    /// The first pixel's blue, which distinguishes the plain images.
    var blue: UInt8 { withUnsafeBytes { $0[0] } }
}

/// A step that changes nothing and counts its runs.
final class CountingStep: ImageStep {
    let key: String
    private let runs = Locked(0)

    init(_ key: String) {
        self.key = key
    }

    var count: Int { runs.withLock { $0 } }

    func apply(to bitmap: Bitmap) throws(CodecError) -> Bitmap {
        runs.withLock { $0 += 1 }
        return bitmap
    }
}
