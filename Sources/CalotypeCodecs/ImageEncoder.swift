public import Foundation

/// An encoder of bitmaps in one file format. Called on threads that may block.
public protocol ImageEncoder: Sendable {
    /// The format of the encoded files.
    var format: ImageFormat { get }

    /// Encodes a bitmap.
    ///
    /// - Throws: `encodingFailed` if the codec fails or the image exceeds the format's maximum size, such as 65,500
    ///   pixels per side for JPEG and 16,383 for WebP.
    func encode(_ bitmap: Bitmap) throws(CodecError) -> Data
}

/// A file format with its options.
///
/// ```swift
/// let file = try bitmap.encoded(as: .webp(quality: 75))
/// ```
public struct EncodingFormat: Sendable {
    /// The encoder of this format.
    public let encoder: any ImageEncoder
    /// Whether a loader copies Artist and Copyright from the source's EXIF block to the files.
    package var keepsCredits = false

    /// Creates a format from an encoder.
    public init(_ encoder: any ImageEncoder) { self.encoder = encoder }

    /// The format of the encoded files.
    public var imageFormat: ImageFormat { encoder.format }
}

extension Bitmap {
    /// Encodes the bitmap as a file in sRGB. Blocks the calling thread.
    ///
    /// - Throws: `encodingFailed` if the format does not support the image's size, or the codec fails.
    public func encoded(as format: EncodingFormat) throws(CodecError) -> Data {
        try format.encoder.encode(self)
    }
}

func percent(_ quality: Int) -> Int { min(max(quality, 0), 100) }
