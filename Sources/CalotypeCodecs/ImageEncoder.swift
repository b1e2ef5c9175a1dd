public import Foundation

/// Turns a bitmap into the bytes of a file. Called on threads that may block.
public protocol ImageEncoder: Sendable {
    /// The format that it writes.
    var format: ImageFormat { get }

    /// - Throws: `encodingFailed` where the format cannot hold the image: JPEG ends at 65,500 pixels a side, WebP at
    ///   16,383.
    func encode(_ bitmap: Bitmap) throws(CodecError) -> Data
}

/// A file format together with the choices that it leaves.
///
/// ```swift
/// let file = try bitmap.encoded(as: .webp(quality: 75))
/// ```
public struct EncodingFormat: Sendable {
    /// The encoder of this format.
    public let encoder: any ImageEncoder

    /// Creates a format from an encoder.
    public init(_ encoder: any ImageEncoder) {
        self.encoder = encoder
    }

    /// The format that the encoder writes.
    public var imageFormat: ImageFormat { encoder.format }
}

extension Bitmap {
    /// The bytes of a file that shows this bitmap, in sRGB. Takes its time on the calling thread.
    ///
    /// - Throws: `encodingFailed` where the format cannot hold the image.
    public func encoded(as format: EncodingFormat) throws(CodecError) -> Data {
        try format.encoder.encode(self)
    }
}

/// A quality within the range that codecs take.
func percent(_ quality: Int) -> Int { min(max(quality, 0), 100) }
