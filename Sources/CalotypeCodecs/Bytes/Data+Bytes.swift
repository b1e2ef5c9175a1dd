import Foundation

extension Data {
    /// Calls `body` with the bytes without copying them. Unlike `withUnsafeBytes`, preserves the type of thrown errors.
    func reading<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try bytes.withUnsafeBytes { (pointer) throws(Failure) in try body(pointer) }
    }
}
