import Foundation

extension Data {
    /// Calls `body` with the bytes in place. Preserves the type of its error, which `withUnsafeBytes` loses.
    func reading<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try bytes.withUnsafeBytes { (pointer) throws(Failure) in try body(pointer) }
    }
}
