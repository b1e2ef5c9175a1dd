import CalotypeBase

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A decoded image: rows of BGRA pixels, 8 bits a channel, alpha premultiplied, sRGB, top row first.
///
/// The one layout in memory, because libyuv ("ARGB"), GTK, Cairo and Core Graphics all take it as it is. Never changes
/// once made; copies share the pixels.
public struct Bitmap: Sendable {
    /// Pixels.
    public let width: Int
    /// Pixels.
    public let height: Int
    /// Bytes from one row to the next; at least `4 * width`.
    public let stride: Int
    /// A Boolean value indicating whether any pixel may be other than opaque.
    public private(set) var hasAlpha: Bool
    /// Whether this is the first frame of an animation, whose other frames can be had.
    public private(set) var isFirstFrame = false

    private var storage: PixelStorage

    /// The size of the pixels in memory, in bytes.
    public var byteCount: Int { stride * height }

    /// Makes a bitmap and lets `fill` write its pixels. They start out undefined: `fill` writes all of them.
    ///
    /// - Throws: what `fill` throws, and `outOfMemory` where there is none for the pixels.
    public init(
        width: Int, height: Int, hasAlpha: Bool,
        fill: (_ pixels: UnsafeMutableRawBufferPointer, _ stride: Int) throws(CodecError) -> Void
    ) throws(CodecError) {
        try self.init(width: width, height: height, hasAlpha: hasAlpha, rowAlignment: Bitmap.rowAlignment, fill: fill)
    }

    /// - Parameter rowAlignment: The number of bytes of which the stride is a multiple. A power of two, at least 4.
    package init(
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
        guard !strideOverflow, !overflow, let storage = PixelStorage(count: count) else {
            throw CodecError(.tooLarge, "no memory for a bitmap of \(width) × \(height) pixels")
        }
        try fill(storage.bytes, stride)
        self.width = width
        self.height = height
        self.stride = stride
        self.hasAlpha = hasAlpha
        self.storage = storage
    }

    /// Reads the pixels: `byteCount` bytes, valid inside the closure only.
    public func withUnsafeBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(UnsafeRawBufferPointer(storage.bytes))
    }

    /// The pixels together with who keeps them alive, for systems that hold on to memory which they did not allocate.
    package var shared: (owner: AnyObject, pixels: UnsafeRawBufferPointer) {
        (storage, UnsafeRawBufferPointer(storage.bytes))
    }

    /// Changes the pixels in place where nobody else holds them, in a copy of them otherwise.
    mutating func withUnsafeMutableBytes<Result>(
        _ body: (UnsafeMutableRawBufferPointer) throws(CodecError) -> Result
    ) throws(CodecError) -> Result {
        if !isKnownUniquelyReferenced(&storage) || storage.companion.withLock({ $0 != nil }) {
            self = try Bitmap(copying: self)
        }
        return try body(storage.bytes)
    }

    private init(copying other: Bitmap) throws(CodecError) {
        // Rows end where they did.
        let alignment = 1 << other.stride.trailingZeroBitCount
        self = try Bitmap(width: other.width, height: other.height, hasAlpha: other.hasAlpha, rowAlignment: alignment) {
            pixels, _ in
            pixels.copyMemory(from: UnsafeRawBufferPointer(other.storage.bytes))
        }
    }

    /// The same pixels, with what is known of where they come from.
    package func declaring(isFirstFrame: Bool) -> Bitmap {
        var bitmap = self
        bitmap.isFirstFrame = isFirstFrame
        return bitmap
    }

    /// The same pixels, for callers that know more about them.
    func declaring(hasAlpha: Bool) -> Bitmap {
        var bitmap = self
        bitmap.hasAlpha = hasAlpha
        return bitmap
    }

    /// Returns whether both share their pixels in memory.
    public func isIdentical(to other: Bitmap) -> Bool { storage === other.storage }

    /// Equal for bitmaps that share their pixels. Good as long as one of them is alive.
    public var identity: ObjectIdentifier { ObjectIdentifier(storage) }

    /// Returns a toolkit's object for the pixels, created once and kept with them: all copies of this bitmap share it.
    ///
    /// - Parameter make: gets what keeps the pixels in memory for as long as it is held. The companion may hold it, but
    ///   not the bitmap, which would then hold itself.
    package func companion<Companion: AnyObject & Sendable>(_ make: (_ pixels: PixelMemory) -> Companion?) -> Companion?
    {
        storage.companion.withLock { companion in
            // A view asks for it each time it is bound: `as?` would take longer than all the rest.
            if let companion, type(of: companion) == Companion.self {
                return unsafeDowncast(companion, to: Companion.self)
            }
            let made = make(storage.memory)
            companion = made
            return made
        }
    }
}

/// Pixels in memory, freed with the last who holds them.
// Unchecked: written only while one bitmap alone holds it.
package final class PixelMemory: @unchecked Sendable {
    package let bytes: UnsafeMutableRawBufferPointer

    init?(count: Int) {
        guard let memory = malloc(count) else { return nil }
        bytes = UnsafeMutableRawBufferPointer(start: memory, count: count)
    }

    deinit { free(bytes.baseAddress) }
}

private final class PixelStorage: Sendable {
    let memory: PixelMemory
    let companion = Locked<(any AnyObject & Sendable)?>(nil)

    var bytes: UnsafeMutableRawBufferPointer { memory.bytes }

    init?(count: Int) {
        guard let memory = PixelMemory(count: count) else { return nil }
        self.memory = memory
    }
}

extension Bitmap: CustomStringConvertible {
    public var description: String { "Bitmap(\(width) × \(height) pixels, \(hasAlpha ? "with alpha" : "opaque"))" }
}
