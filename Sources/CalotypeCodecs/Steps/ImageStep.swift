import CalotypeBase

/// A processing step for decoded images: a value with a key, so that results can be cached and shared.
///
/// Steps run after decoding, each on the result of the step before. To define a step, conform to this protocol or use
/// ``ImageSteps/CustomStep``.
///
/// ```swift
/// let steps: [any ImageStep] = [.resize(width: 400, height: 400, mode: .fill), .round(radius: 12)]
/// let image = try bitmap.applying(steps)
/// ```
public protocol ImageStep: Sendable {
    /// The step's part of cache keys, with every value on which its result depends. Steps with equal keys must produce
    /// equal results, because a cache may return the result of either for both. Do not round values in the key.
    var key: String { get }

    /// Returns the changed image, or `bitmap` itself if nothing changes. May block the calling thread.
    func apply(to bitmap: Bitmap) throws(CodecError) -> Bitmap
}

/// The steps of this module. Other modules have some of these names at top level: `Circle` is a shape in SwiftUI.
///
/// Where a step is expected, its short name does: `.circle`, `.pad(8)`.
public enum ImageSteps {}

extension Sequence where Element == any ImageStep {
    /// The keys of all steps in order, as part of a processed image's cache key. Empty without steps.
    public var key: String {
        // Escaping ensures that no key can contain the separator.
        map { ByteString($0.key).percentEncoded { !"%|".utf8.contains($0) }.string }.joined(separator: "|")
    }
}
