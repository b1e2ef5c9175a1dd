import CalotypeBase

/// A decoded image: rows of BGRA pixels with 8 bits per channel, premultiplied alpha, from top to bottom. Its colors are sRGB unless
/// the decode was asked for a wider ``gamut``.
///
/// Every bitmap has this layout, because libyuv (which calls it "ARGB"), GTK, Cairo and Core Graphics support it
/// directly. A bitmap is immutable; copies share the pixels.
public struct Bitmap: Sendable {
    /// The width in pixels.
    public let width: Int
    /// The height in pixels.
    public let height: Int
    /// The distance from the start of one row to the start of the next, in bytes; at least `4 * width`.
    public let stride: Int
    /// Whether any pixel may be transparent.
    public private(set) var hasAlpha: Bool
    /// The gamut of the colors. The default is sRGB.
    public private(set) var gamut = ColorGamut.sRGB
    /// `true` for the first frame of an animation, decoded like a still image. `false` for frames of ``AnimatedImage``.
    public private(set) var isFirstFrame = false
    /// The format of the file that a decode made the bitmap of. `nil` for frames of ``AnimatedImage``.
    package private(set) var sourceFormat: ImageFormat?
    /// Whether the image that a decode returned may have been transparent before the layout's steps.
    package private(set) var hadAlpha = false
    /// The author and the copyright. `nil` if the file contains neither, or if the decode's layout discards them.
    package private(set) var credits: ImageCredits?
    /// The gain map. `nil` if the file has none, if the decode's layout discards it, or if a step drew each pixel in a way of its own.
    package private(set) var gainMap: GainMap?
    /// The reason why the file's gain map was dropped; `nil` if the file has none, or it was kept.
    package private(set) var gainMapFault: GainMapFault?

    private var storage: PixelStorage

    /// The size of the pixels in memory, in bytes.
    public var byteCount: Int { stride * height }
    /// The memory of the pixels and of the gain map, in bytes.
    package var heldBytes: Int { byteCount + (gainMap?.byteCount ?? 0) }

    /// Creates a bitmap. `fill` must write all of its pixels, which are initially zero.
    ///
    /// - Throws: The error of `fill`, `tooLarge` if memory is exhausted, or `damaged` if a side is 0 or less.
    public init(
        width: Int, height: Int, hasAlpha: Bool,
        fill: (_ pixels: UnsafeMutableRawBufferPointer, _ stride: Int) throws(CodecError) -> Void
    ) throws(CodecError) {
        try self.init(width: width, height: height, hasAlpha: hasAlpha, rowAlignment: Bitmap.rowAlignment, fill: fill)
    }

    /// - Parameter rowAlignment: The alignment of rows in bytes: a power of two, at least 4. The stride is a multiple
    ///   of it.
    init(
        width: Int, height: Int, hasAlpha: Bool, rowAlignment: Int,
        fill: (_ pixels: UnsafeMutableRawBufferPointer, _ stride: Int) throws(CodecError) -> Void
    ) throws(CodecError) {
        guard width > 0, height > 0 else {
            throw CodecError(.damaged, "an image of \(width) × \(height) pixels has nothing to show")
        }
        let (rowBytes, rowOverflow) = width.multipliedReportingOverflow(by: 4)
        let (room, roomOverflow) = rowBytes.addingReportingOverflow(rowAlignment - 1)
        let (stride, strideOverflow) = (room & ~(rowAlignment - 1), rowOverflow || roomOverflow)
        let (count, overflow) = stride.multipliedReportingOverflow(by: height)
        guard !strideOverflow, !overflow, let memory = PixelMemory.forBitmap(count: count) else {
            throw CodecError(.tooLarge, "no memory for a bitmap of \(width) × \(height) pixels")
        }
        try fill(memory.bytes, stride)
        (self.width, self.height, self.stride, self.hasAlpha) = (width, height, stride, hasAlpha)
        storage = PixelStorage(memory)
    }

    /// Calls `body` with the pixels: `byteCount` bytes, valid only inside the closure.
    public func withUnsafeBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(UnsafeRawBufferPointer(storage.bytes))
    }

    /// The pixels and the object that keeps them alive, for system objects that use the pixels without a copy.
    var shared: (owner: AnyObject, pixels: UnsafeRawBufferPointer) {
        (storage, UnsafeRawBufferPointer(storage.bytes))
    }

    /// Changes the pixels in place if they are writable and nothing else uses them, otherwise in a copy.
    mutating func withUnsafeMutableBytes<Result>(
        _ body: (UnsafeMutableRawBufferPointer) throws(CodecError) -> Result
    ) throws(CodecError) -> Result {
        if !isKnownUniquelyReferenced(&storage) || memory.isReadOnly || storage.companion.withLock({ $0 != nil }) {
            // Rows with the alignment of the original give the copy the same stride.
            let (original, alignment) = (storage.bytes, 1 << stride.trailingZeroBitCount)
            let copy = try Bitmap(width: width, height: height, hasAlpha: hasAlpha, rowAlignment: alignment) {
                pixels, _ in pixels.copyMemory(from: UnsafeRawBufferPointer(original))
            }
            storage = copy.storage
        }
        return try body(storage.bytes)
    }

    /// Creates a bitmap over memory that already contains its pixels, in contiguous rows. Returns `nil` if the memory
    /// is too small, or a side is 0 or less.
    init?(_ size: PixelSize, hasAlpha: Bool, in memory: PixelMemory) {
        guard size.width > 0, size.height > 0, size.bitmapBytes <= memory.bytes.count else { return nil }
        (width, height, stride) = (size.width, size.height, 4 * size.width)
        self.hasAlpha = hasAlpha
        storage = PixelStorage(memory)
    }

    var memory: PixelMemory { storage.memory }

    package func declaring(isFirstFrame: Bool) -> Bitmap {
        var bitmap = self
        bitmap.isFirstFrame = isFirstFrame
        return bitmap
    }

    func declaring(sourceFormat: ImageFormat, hadAlpha: Bool) -> Bitmap {
        var bitmap = self
        (bitmap.sourceFormat, bitmap.hadAlpha) = (sourceFormat, hadAlpha)
        return bitmap
    }

    /// Returns the bitmap with all that is known of the file of another one, from which it was drawn.
    package func declaring(originOf other: Bitmap) -> Bitmap {
        var bitmap = self
        (bitmap.sourceFormat, bitmap.hadAlpha, bitmap.credits) = (other.sourceFormat, other.hadAlpha, other.credits)
        bitmap.gainMapFault = other.gainMapFault
        return bitmap
    }

    package func declaring(credits: ImageCredits?) -> Bitmap {
        var bitmap = self
        bitmap.credits = credits
        return bitmap
    }

    func declaring(gamut: ColorGamut) -> Bitmap {
        var bitmap = self
        bitmap.gamut = gamut
        return bitmap
    }

    package func declaring(gainMap: GainMap?) -> Bitmap {
        var bitmap = self
        bitmap.gainMap = gainMap
        return bitmap
    }

    func declaring(gainMapFault: GainMapFault?) -> Bitmap {
        var bitmap = self
        bitmap.gainMapFault = gainMapFault
        return bitmap
    }

    func declaring(hasAlpha: Bool) -> Bitmap {
        var bitmap = self
        bitmap.hasAlpha = hasAlpha
        return bitmap
    }

    /// Returns whether both bitmaps share their pixels in memory.
    public func isIdentical(to other: Bitmap) -> Bool { storage === other.storage }

    /// The identity of the pixels, equal for all bitmaps that share them, and valid while such a bitmap is alive.
    public var identity: ObjectIdentifier { ObjectIdentifier(storage) }

    /// Returns a UI toolkit's object for the pixels, such as a texture. All copies of the bitmap share one object.
    ///
    /// - Parameter make: Creates the object, which may retain `pixels` but not the bitmap: that would be a cycle.
    package func companion<Companion: AnyObject & Sendable>(_ make: (_ pixels: PixelMemory) -> Companion?) -> Companion?
    {
        storage.companion.withLock { companion in
            // A view calls this whenever it is bound to an image. Compare the types, because a cast with `as?` would take
            // longer than the rest of the function.
            if let companion, type(of: companion) == Companion.self {
                return unsafeDowncast(companion, to: Companion.self)
            }
            let made = make(storage.memory)
            companion = made
            return made
        }
    }
}

private final class PixelStorage: Sendable {
    let memory: PixelMemory
    let companion = Locked<(any AnyObject & Sendable)?>(nil)

    var bytes: UnsafeMutableRawBufferPointer { memory.bytes }

    init(_ memory: PixelMemory) { self.memory = memory }
}

extension Bitmap: CustomStringConvertible {
    public var description: String { "Bitmap(\(width) × \(height) pixels, \(hasAlpha ? "with alpha" : "opaque"))" }
}
