import Foundation

extension Data {
    /// Reads the bytes where they lie, keeping the error's type, which `withUnsafeBytes` loses.
    func reading<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try bytes.withUnsafeBytes { (pointer) throws(Failure) in try body(pointer) }
    }
}
