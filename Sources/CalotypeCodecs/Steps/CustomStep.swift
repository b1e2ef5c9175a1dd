/// A step of the user's own, as a closure.
///
/// ```swift
/// CustomStep(key: "watermark-v2") { bitmap in try watermark.drawn(over: bitmap) }
/// ```
/// A closure that answers nil leaves the image as it was. What it throws becomes `stepFailed`, with the step's key in
/// the message and the error as `underlying`.
public struct CustomStep: ImageStep {
    public let key: String
    private let change: @Sendable (Bitmap) throws -> Bitmap?

    /// - Parameters:
    ///   - key: names what the closure does, with every value it depends on. It cannot clash with the steps that come
    ///     with the library.
    ///   - change: called on threads that may block.
    public init(key: String, _ change: @escaping @Sendable (Bitmap) throws -> Bitmap?) {
        self.key = "custom(\(key))"
        self.change = change
    }

    public func apply(to bitmap: Bitmap) throws(CodecError) -> Bitmap {
        do {
            return try change(bitmap) ?? bitmap
        } catch let error as CancellationError {
            throw CodecError(.cancelled, "cancelled", underlying: error)
        } catch let error as CodecError where error.code == .cancelled || error.code == .stepFailed {
            throw error
        } catch {
            throw .failed(step: key, because: error)
        }
    }
}

extension CustomStep: Hashable {
    /// By their keys: what a closure does cannot be compared.
    public static func == (left: Self, right: Self) -> Bool { left.key == right.key }

    /// Hashes the key.
    public func hash(into hasher: inout Hasher) { hasher.combine(key) }
}
