public import Foundation

/// Turns a bitmap into the bytes of a file. Called on threads that may block.
public protocol ImageEncoder: Sendable {
    /// What comes out.
    var format: ImageFormat { get }

    /// - Throws: `encodingFailed` where the format cannot hold the picture: JPEG ends at 65,500 pixels a side, WebP at
    ///   16,383.
    func encode(_ bitmap: Bitmap) throws(CodecError) -> Data
}

/// A file format together with the choices that it leaves.
///
/// ```swift
/// let file = try bitmap.encoded(as: .webp(quality: 0.75))
/// ```
public struct EncodingFormat: Sendable {
    public let encoder: any ImageEncoder

    public init(_ encoder: any ImageEncoder) {
        self.encoder = encoder
    }

    public var imageFormat: ImageFormat { encoder.format }

    /// JPEG over white, which shows where the picture is transparent.
    ///
    /// - Parameter quality: 0 to 1; what lies outside counts as the nearer end. From 0.9 on, colours keep their full
    ///   resolution.
    public static func jpeg(quality: Double = 0.8) -> EncodingFormat {
        EncodingFormat(JPEGEncoder(quality: quality))
    }

    /// PNG, 8 bits a channel; loses nothing.
    public static let png = EncodingFormat(PNGEncoder())

    /// Lossy WebP, with its transparency.
    ///
    /// - Parameter quality: 0 to 1; what lies outside counts as the nearer end.
    public static func webp(quality: Double = 0.8) -> EncodingFormat {
        EncodingFormat(WebPEncoder(compression: .lossy(quality: quality)))
    }

    /// WebP that loses nothing; smaller than PNG, and slower.
    public static let webpLossless = EncodingFormat(WebPEncoder(compression: .lossless))
}

extension Bitmap {
    /// The bytes of a file that shows this bitmap, in sRGB. Takes its time on the calling thread.
    ///
    /// - Throws: `encodingFailed` where the format cannot hold the picture.
    public func encoded(as format: EncodingFormat) throws(CodecError) -> Data {
        try format.encoder.encode(self)
    }
}

/// A quality of 0 to 1 as codecs count it, from 0 to 100. What is not a number counts as the default.
func percent(_ quality: Double) -> Int {
    quality.isNaN ? 80 : Int((min(max(quality, 0), 1) * 100).rounded())
}
