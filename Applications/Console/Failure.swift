package import Calotype
import CalotypeBase

/// The reason that the command could not load, process or write an image.
package struct Failure: InterruptibleFailure, Sendable, Hashable, Encodable, CustomStringConvertible {
    /// The code of the library's error, or a code of the command, such as `fileUnreadable`.
    package let code: String
    /// One line for people, without the URL.
    package let message: String
    /// The HTTP status, if it is the reason; otherwise `nil`.
    package let status: Int?

    package init(code: String, _ message: String, status: Int? = nil) {
        self.code = code
        self.message = message
        self.status = status
    }

    package init(_ error: ImageError) { self.init(code: error.code.rawValue, error.message, status: error.status) }
    package init(_ error: CodecError) { self.init(code: error.code.rawValue, error.message) }
    package init(_ error: StoreError) { self.init(code: error.code.rawValue, error.message) }
    package init(_ error: FileError) { self.init(code: "fileUnwritable", error.message) }

    package static let cancelled = Failure(code: "cancelled", "cancelled")
    package static let timedOut = Failure(code: "timedOut", "timed out")
    package static let overloaded = Failure(code: "overloaded", "too many images are waiting")

    package var isCancelled: Bool { code == Failure.cancelled.code }
    package var description: String { message }
}
