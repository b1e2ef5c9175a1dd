import CalotypeCodecs
import CalotypeBase
import CalotypeMemory

/// A bounded index of the sizes of images without steps that may be in memory. An image that the full index has dropped
/// is found only by requests for exactly its size.
final class SizesInMemory: Sendable {
    private struct Size {
        let image: CacheKey
        let pixels: PixelSize
        /// The target that cropped or stretched the bitmap, or `nil` if the bitmap shows the whole image unstretched.
        let shape: ResizeTarget?

        var showsAll: Bool { shape == nil }

        /// Returns whether the bitmap shows the part that the target asks for: the whole image, or the same crop.
        func shows(_ target: ResizeTarget) -> Bool {
            guard let shape else { return true }
            guard let width = target.width, let height = target.height else { return false }
            return shape.mode == target.mode && shape.gravity == target.gravity
                && pixels.width * height == pixels.height * width
        }
    }

    private static let sourceLimit = 4096
    private static let sizeLimit = 8
    private let sizes = Locked([ByteString: [Size]]())

    func add(_ image: CacheKey, _ bitmap: Bitmap, as target: ResizeTarget, of source: ByteString) {
        let pixels = PixelSize(width: bitmap.width, height: bitmap.height)
        let keepsShape = target.keepsShape
        // Do not index a cropped bitmap that is smaller than requested: no other target asks for exactly that part.
        if !keepsShape, pixels.width != target.width || pixels.height != target.height { return }
        let size = Size(image: image, pixels: pixels, shape: keepsShape ? nil : target)
        sizes.withLock { sizes in
            if sizes.count >= SizesInMemory.sourceLimit, sizes[source] == nil { sizes.removeAll() }
            var known = sizes[source, default: []].filter { $0.image != image }
            known.append(size)
            sizes[source] = known.suffix(SizesInMemory.sizeLimit)
        }
    }

    /// Removes all sizes of a source. Returns the keys of their images, which may be in memory.
    func removeAll(of source: ByteString) -> [CacheKey] {
        sizes.withLock { $0.removeValue(forKey: source) ?? [] }.map(\.image)
    }

    /// Returns the largest bitmap in memory that shows the whole image or the same crop as the target.
    func any(of source: ByteString, showing target: ResizeTarget?, in memory: MemoryCache<ImageResponse>)
        -> ImageResponse?
    {
        let known = sizes.withLock { $0[source] ?? [] }.sorted { $0.pixels.width > $1.pixels.width }
        for size in known where target.map({ size.shows($0) }) ?? size.showsAll {
            if let image = memory.peek(size.image) { return image }
        }
        return nil
    }

    /// Returns the smallest bitmap in memory that is at least as large as the target.
    func larger(than target: ResizeTarget, of source: ByteString, in memory: MemoryCache<ImageResponse>)
        -> ImageResponse?
    {
        // Compare with the size that the target produces from an original that is large enough for it.
        var target = target
        target.upscales = true
        let known = sizes.withLock { $0[source] ?? [] }.filter {
            // The whole image does not match a target that crops or stretches it.
            $0.shows(target) && (!$0.showsAll || target.keepsShape(of: $0.pixels))
        }.sorted { $0.pixels.width < $1.pixels.width }
        for size in known {
            let wanted = target.scaledSize(for: size.pixels)
            guard size.pixels.width >= wanted.width, size.pixels.height >= wanted.height else { continue }
            if let image = memory.peek(size.image) { return image }
        }
        return nil
    }
}

extension ResizeTarget {
    /// Whether this target neither crops nor stretches any image.
    fileprivate var keepsShape: Bool { mode == .fit || width == nil || height == nil }

    /// Returns whether this target neither crops nor stretches an image of this size.
    func keepsShape(of pixels: PixelSize) -> Bool {
        guard !keepsShape, let width, let height else { return true }
        let (left, right) = (pixels.width.multipliedFullWidth(by: height), pixels.height.multipliedFullWidth(by: width))
        return left == right
    }
}
