extension Bitmap {
    /// Applies the steps in order.
    ///
    /// - Throws: `stepFailed` with the step's key and the reason in the message. Interruptions are rethrown unchanged.
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
            throw error.naming(stepKey: step.key)
        }
    }
}

extension CodecError {
    fileprivate func naming(stepKey: String) -> CodecError {
        switch code {
        case .cancelled, .timedOut, .overloaded: self
        default: failing(step: stepKey)
        }
    }

    /// Returns the error as a failure of the step, which the message names.
    package func failing(step key: String) -> CodecError {
        code == .stepFailed && message.contains(key) ? self : .failed(step: key, because: self)
    }

    /// Returns a step's failure whose message contains its key and the reason in one line.
    static func failed(step key: String, because reason: any Error) -> CodecError {
        CodecError(.stepFailed, "step \(key) failed: \(reason)", underlying: reason)
    }
}
