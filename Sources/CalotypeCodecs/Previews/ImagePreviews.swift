/// The kind of previews that a request receives during its download.
///
/// Previews have the size and steps of the request. The loader creates them only while no other work waits for a codec
/// thread, each from at least twice the bytes of the one before, at most every half second, and none after 80 % of the
/// body. Baseline JPEG, non-interlaced PNG and WebP have previews only with ``rows``.
///
/// ```swift
/// var request = ImageRequest(url, size: ResizeTarget(width: 1200))
/// request.previews = .scans
/// ```
public struct ImagePreviews: Hashable, Sendable, CustomStringConvertible {
    /// The kinds of previews.
    enum Kind: UInt8, Sendable { case off, scans, rows }

    let kind: Kind
    /// The smallest body in bytes that gets previews. The default is 0.
    ///
    /// If the length of a body is unknown, previews start after this many bytes.
    public var minimumBytes: Int {
        get { Int(minimum) }
        set { minimum = UInt32(clamping: newValue) }
    }
    private var minimum: UInt32 = 0

    private init(kind: Kind) { self.kind = kind }

    /// No previews.
    public static let off = ImagePreviews(kind: .off)
    /// The whole image in increasing detail: the camera's thumbnail in a JPEG, each scan of a progressive JPEG, each
    /// pass of an interlaced PNG.
    public static let scans = ImagePreviews(kind: .scans)
    /// In addition, the upper rows of a baseline JPEG, a PNG or a WebP, with transparent pixels below.
    public static let rows = ImagePreviews(kind: .rows)

    /// Returns these previews for bodies of at least `bytes` bytes.
    public func forBodies(ofAtLeast bytes: Int) -> ImagePreviews {
        var previews = self
        previews.minimumBytes = bytes
        return previews
    }

    package var isOff: Bool { kind == .off }

    /// The name of the kind, such as "scans".
    public var description: String { "\(kind)" }
}

/// A preview of a partially received image.
public struct ImagePreview: Sendable {
    /// The received part of the image, at the size and with the steps of the request.
    public let bitmap: Bitmap
    /// The size of an upright image with as much detail as the preview, before any step.
    public let detail: PixelSize
    /// Whether the preview shows the whole image, though coarsely. Otherwise its lower part is transparent.
    public let coversImage: Bool

    package init(bitmap: Bitmap, detail: PixelSize, coversImage: Bool) {
        self.bitmap = bitmap
        self.detail = detail
        self.coversImage = coversImage
    }
}
