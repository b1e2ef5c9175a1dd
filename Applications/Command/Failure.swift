import Calotype
import CalotypeBase

/// The reason that the command could not load, process or write an image.
struct Failure: InterruptibleFailure, Sendable, Hashable, Encodable, CustomStringConvertible {
    /// The code of the library's error, or a code of the command, such as `fileUnreadable`.
    let code: String
    /// One line for people, without the URL.
    let message: String
    /// The HTTP status, if it is the reason; otherwise `nil`.
    let status: Int?

    init(code: String, _ message: String, status: Int? = nil) {
        self.code = code
        self.message = message
        self.status = status
    }

    init(_ error: ImageError) { self.init(code: error.code.rawValue, error.message, status: error.status) }
    init(_ error: CodecError) { self.init(code: error.code.rawValue, error.message) }
    init(_ error: StoreError) { self.init(code: error.code.rawValue, error.message) }
    init(_ error: FileError) { self.init(code: "fileUnwritable", error.message) }

    static let cancelled = Failure(code: "cancelled", "cancelled")
    static let timedOut = Failure(code: "timedOut", "timed out")
    static let overloaded = Failure(code: "overloaded", "too many images are waiting")

    var isCancelled: Bool { code == Failure.cancelled.code }
    var description: String { message }
}
