extension ImageSteps {
    /// A step defined by a closure.
    ///
    /// ```swift
    /// ImageSteps.CustomStep(key: "watermark-v2") { bitmap in try watermark.drawn(over: bitmap) }
    /// ```
    /// If the closure returns `nil`, the image stays unchanged. If it throws, the step fails with `stepFailed`, with
    /// the key in the message and the error as `underlying`. Cancellation errors become `cancelled`.
    public struct CustomStep: ImageStep {
        public let key: String
        private let change: @Sendable (Bitmap) throws -> Bitmap?

        /// - Parameters:
        ///   - key: A name for the change, with every value on which it depends. It cannot clash with steps of other
        ///     types.
        ///   - change: Changes the image. May block the calling thread.
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
}

extension ImageSteps.CustomStep: Hashable {
    /// Compares the keys, because closures cannot be compared.
    public static func == (left: Self, right: Self) -> Bool { left.key == right.key }

    public func hash(into hasher: inout Hasher) { hasher.combine(key) }
}
