/// Which previews a request gets while the bytes of its image come.
///
/// Previews show the image at the size and with the steps of the request. They are made when no other work waits for a codec
/// thread: when twice as many bytes are there as for the one before, at most every half second, and none after 80 % of
/// the body. A baseline JPEG, a PNG that is not interlaced and a WebP have previews with ``rows`` alone.
///
/// ```swift
/// var request = ImageRequest(url, size: ResizeTarget(width: 1200))
/// request.previews = .scans
/// ```
public struct ImagePreviews: Hashable, Sendable, CustomStringConvertible {
    /// What a preview may be made of.
    enum Kind: UInt8, Sendable { case off, scans, rows }

    let kind: Kind
    /// The size in bytes below which a body gets no previews.
    ///
    /// Of a body whose length is unknown, previews begin when so much of it has come. The default is 0.
    public var minimumBytes: Int {
        get { Int(minimum) }
        set { minimum = UInt32(clamping: newValue) }
    }
    private var minimum: UInt32 = 0

    private init(kind: Kind) { self.kind = kind }

    /// No previews.
    public static let off = ImagePreviews(kind: .off)
    /// The whole image in growing detail: the thumbnail that a camera has put into a JPEG, a progressive JPEG after each scan,
    /// an interlaced PNG after each pass.
    public static let scans = ImagePreviews(kind: .scans)
    /// The same, and the upper rows of a baseline JPEG, a PNG or a WebP, transparent below.
    public static let rows = ImagePreviews(kind: .rows)

    /// The same previews, for bodies of at least so many bytes.
    public func forBodies(ofAtLeast bytes: Int) -> ImagePreviews {
        var previews = self
        previews.minimumBytes = bytes
        return previews
    }

    package var isOff: Bool { kind == .off }

    /// "scans".
    public var description: String { "\(kind)" }
}

/// A preview of an image whose bytes have not all come.
public struct ImagePreview: Sendable {
    /// The image as far as it is there, at the size and with the steps of the request.
    public let bitmap: Bitmap
    /// The size of the upright image that shows as much detail as the preview has, before any step.
    public let detail: PixelSize
    /// A Boolean value indicating whether the preview shows all of the image, if coarsely. Otherwise its lower part is
    /// transparent.
    public let coversImage: Bool

    package init(bitmap: Bitmap, detail: PixelSize, coversImage: Bool) {
        self.bitmap = bitmap
        self.detail = detail
        self.coversImage = coversImage
    }
}
