import Calotype
import CalotypeBase
import CalotypeCodecs
import CalotypeStore

/// The reason that an image failed. The initializers translate the errors of the layers below.
struct Failure: InterruptibleFailure, Sendable, Hashable, Encodable, CustomStringConvertible {
    /// For programs: the code of the library's error.
    let code: String
    /// One line for people, without the URL.
    let message: String
    /// The HTTP status, if it is the reason.
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
