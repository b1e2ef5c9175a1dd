import Foundation

struct FileError: Error, Sendable, CustomStringConvertible {
    let message: String
    /// The system's error number; 0 if the failure did not come from the system.
    let number: Int32

    init(_ what: String, _ number: Int32) {
        message = "\(what): \(String(cString: strerror(number)))"
        self.number = number
    }

    init(_ message: String) {
        self.message = message
        number = 0
    }

    var isBrokenPipe: Bool { number == EPIPE }
    var description: String { message }
}
