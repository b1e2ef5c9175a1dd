/// The shared pixel memory, used by bitmaps so that codecs write their result where the program reads it.
///
/// A bitmap of the result's size gets the region unless an earlier bitmap still uses it. The program clears the region
/// before each image.
// Unchecked: a worker decodes on one thread.
final class ResultMemory: @unchecked Sendable {
    private var region: SharedRegion?
    private var count = 0
    private var isUsed = false
    /// Whether the region may contain the pixels of an earlier bitmap of the same image.
    private var wasUsed = false

    /// Offers a region for bitmaps of `count` bytes from now on.
    func offer(_ region: SharedRegion?, count: Int) {
        (self.region, self.count) = (region, count)
        (isUsed, wasUsed) = (false, false)
    }

    /// Returns the region's memory if it is unused and was offered for bitmaps of `count` bytes, otherwise `nil`.
    func memory(count: Int) -> PixelMemory? {
        guard let region, !isUsed, count == self.count, count <= region.bytes.count else { return nil }
        let bytes = UnsafeMutableRawBufferPointer(rebasing: region.bytes[..<count])
        if wasUsed { bytes.initializeMemory(as: UInt8.self, repeating: 0) }
        (isUsed, wasUsed) = (true, true)
        return PixelMemory(bytes, isReadOnly: false) { [weak self] _ in
            if self?.region === region { self?.isUsed = false }
        }
    }
}
