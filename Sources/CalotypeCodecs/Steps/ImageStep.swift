/// Something done to a decoded image: a value with a key, so that results can be kept and shared.
///
/// Steps come after decoding, each on the result of the one before. A step of your own is a type that conforms, or a
/// `CustomStep`; both name themselves by `key`.
/// ```swift
/// let steps: [any ImageStep] = [.resize(width: 400, height: 400, mode: .fill), .round(radius: 12)]
/// let image = try bitmap.applying(steps)
/// ```
public protocol ImageStep: Sendable {
    /// Names the step and everything its result depends on. Two steps with equal keys do the same to every image:
    /// the result of one may be served for the other. Nothing that matters may be rounded away.
    var key: String { get }

    /// The changed image, or the same one where there is nothing to do. Called on threads that may block.
    func apply(to bitmap: Bitmap) throws(CodecError) -> Bitmap
}

extension Sequence where Element == any ImageStep {
    /// Names all the steps in their order: part of a finished image's cache key. Empty without steps.
    public var key: String {
        // The separator cannot occur inside a part, whatever a user's key contains.
        map { $0.key.replacing("%", with: "%25").replacing("|", with: "%7C") }.joined(separator: "|")
    }
}
