extension Bitmap {
    /// Applies the steps in order.
    ///
    /// - Throws: `stepFailed` with the step's key and the reason in the message. If a step throws `cancelled`,
    ///   `timedOut` or `overloaded`, that error is thrown unchanged.
    public func applying(_ steps: [any ImageStep]) throws(CodecError) -> Bitmap {
        var bitmap = self
        for step in steps { bitmap = try bitmap.applying(step) }
        return bitmap
    }

    /// Applies one step.
    ///
    /// - Throws: The same errors as for several steps.
    public func applying(_ step: some ImageStep) throws(CodecError) -> Bitmap {
        do throws(CodecError) {
            return try step.apply(to: self)
        } catch {
            switch error.code {
            case .cancelled, .timedOut, .overloaded: throw error
            default: throw error.failing(step: step.key)
            }
        }
    }
}

extension CodecError {
    /// Returns the error as `stepFailed`, with the step's key in the message unless the message already contains it.
    package func failing(step key: String) -> CodecError {
        code == .stepFailed && message.contains(key) ? self : .failed(step: key, because: self)
    }

    static func failed(step key: String, because reason: any Error) -> CodecError {
        CodecError(.stepFailed, "step \(key) failed: \(reason)", underlying: reason)
    }
}
