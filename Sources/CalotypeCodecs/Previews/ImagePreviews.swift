/// The previews that a request receives during its download.
///
/// Previews have the size and steps of the request. The loader creates at most two a second, and only while no other
/// work waits for a codec thread. Each needs at least twice the bytes of the previous one; none follows after 80 % of
/// the body. Those of a progressive JPEG have at least half of the request's resolution. Baseline JPEGs without a
/// thumbnail, PNGs that are not interlaced, lossless or transparent JPEG XL and all other formats have no previews.
///
/// ```swift
/// var request = ImageRequest(url, size: ResizeTarget(width: 1200))
/// request.previews = .scans
/// ```
public struct ImagePreviews: Hashable, Sendable, CustomStringConvertible {
    package let isOff: Bool
    /// The smallest body in bytes that gets previews. The default is 0.
    ///
    /// If the length of a body is unknown, previews start once this many bytes have arrived.
    public var minimumBytes: Int {
        get { Int(minimum) }
        set { minimum = UInt32(clamping: newValue) }
    }
    private var minimum: UInt32 = 0

    private init(isOff: Bool) { self.isOff = isOff }

    /// No previews.
    public static let off = ImagePreviews(isOff: true)
    /// The whole image in increasing detail: the camera's thumbnail in a JPEG, each scan of a progressive JPEG, each
    /// pass of an interlaced PNG, a lossy JPEG XL from an eighth of its resolution on.
    public static let scans = ImagePreviews(isOff: false)

    /// Returns these previews for bodies of at least `bytes` bytes.
    public func forBodies(ofAtLeast bytes: Int) -> ImagePreviews {
        var previews = self
        previews.minimumBytes = bytes
        return previews
    }

    /// "off" or "scans".
    public var description: String { isOff ? "off" : "scans" }
}

/// A preview of a partially received image.
public struct ImagePreview: Sendable {
    /// The image as received so far, at the size and with the steps of the request.
    public let bitmap: Bitmap
    /// The size in pixels of the whole upright image if it were scaled down to as much detail as the preview shows.
    public let detail: PixelSize

    package init(bitmap: Bitmap, detail: PixelSize) {
        self.bitmap = bitmap
        self.detail = detail
    }
}
