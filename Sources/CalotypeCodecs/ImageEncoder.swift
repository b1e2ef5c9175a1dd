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

/// An encoder whose files name the bitmap's gamut. For others, a bitmap is converted to sRGB first.
protocol GamutEncoder: ImageEncoder {}

/// An encoder whose files have frames.
package protocol AnimationEncoder: ImageEncoder {
    /// Encodes all frames, one after the other.
    ///
    /// - Parameters:
    ///   - credits: The author and the copyright for the file; `nil` for a file without them.
    ///   - goesOn: Called before each frame. If it returns `false`, the encoding ends with `cancelled`.
    /// - Throws: `tooLarge` beyond ``DecodeLimits/maxAnimationPixels``, and the errors of ``AnimatedImage/frame(at:)``.
    func encode(
        _ animation: AnimatedImage, credits: ImageCredits?, while goesOn: () -> Bool
    ) throws(CodecError) -> Data

    /// Returns the peak memory of encoding the animation in bytes, without the file that is written.
    func peakBytes(of animation: AnimatedImage) -> Int
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
    /// Whether a loader copies the source's gain map to the files.
    package private(set) var keepsGainMap = false
    /// Whether a loader encodes only the first frame of an animation.
    private var isStill = false

    /// Creates a format from an encoder.
    public init(_ encoder: any ImageEncoder) { self.encoder = encoder }

    /// The format of the encoded files.
    public var imageFormat: ImageFormat { encoder.format }

    /// The same format, in which a loader encodes only the first frame of an animation.
    ///
    /// ```swift
    /// let poster = try await loader.data(for: request, encodedAs: .webp(quality: 80).still)
    /// ```
    public var still: EncodingFormat {
        var format = self
        format.isStill = true
        return format
    }

    /// The same format, in whose JPEG and AVIF files a loader keeps the source's gain map, by which HDR displays show more light.
    ///
    /// Sources are JPEG, HEIC and AVIF with a map by ISO 21496-1, of Ultra HDR or Apple's. Without it, files show the image in
    /// its standard range on all displays. A map takes about a tenth of the file more. `ImageLoader.data(for:encodedAs:)` then decodes
    /// the original each time, because cached images have no map. In `Bitmap.encoded(as:)`, in other formats, and on Apple's
    /// platforms it has no effect.
    ///
    /// ```swift
    /// let photo = try await loader.data(for: request, encodedAs: .jpeg(quality: 80).keepingGainMap)
    /// ```
    public var keepingGainMap: EncodingFormat {
        var format = self
        format.keepsGainMap = true
        return format
    }

    /// The encoder of animations, or `nil` if a loader encodes the first frame alone.
    package var motion: (any AnimationEncoder)? { isStill ? nil : encoder as? any AnimationEncoder }
}

extension Bitmap {
    /// Encodes the bitmap as a file in its gamut, which JPEG, PNG, WebP, AVIF and JPEG XL name; in other formats, in sRGB. Blocks the
    /// calling thread.
    ///
    /// - Throws: `encodingFailed` if the format does not support the image's size, or the codec fails.
    public func encoded(as format: EncodingFormat) throws(CodecError) -> Data {
        let encoder = format.encoder
        return try encoder.encode(encoder is any GamutEncoder ? self : converted(to: .sRGB))
    }
}

func percent(_ quality: Int) -> Int { min(max(quality, 0), 100) }
