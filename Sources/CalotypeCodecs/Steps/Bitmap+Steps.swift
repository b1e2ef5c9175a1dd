extension Bitmap {
    /// The image after all the steps, in order.
    ///
    /// - Throws: `stepFailed`, whose message names the step by its key and says why; cancellation as it came.
    public func applying(_ steps: [any ImageStep]) throws(CodecError) -> Bitmap {
        var bitmap = self
        for step in steps { bitmap = try bitmap.applying(step) }
        return bitmap
    }

    /// The image after one step.
    ///
    /// - Throws: as for several.
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

    /// The same as a failure of the step, which the message names.
    package func failing(step key: String) -> CodecError {
        code == .stepFailed && message.contains(key) ? self : .failed(step: key, because: self)
    }

    /// A step's failure, with its name and the reason in one line.
    static func failed(step key: String, because reason: any Error) -> CodecError {
        CodecError(.stepFailed, "step \(key) failed: \(reason)", underlying: reason)
    }
}
