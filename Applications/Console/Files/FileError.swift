import Foundation

package struct FileError: Error, Sendable, CustomStringConvertible {
    package let message: String
    /// The system's error number; 0 if the failure did not come from the system.
    package let number: Int32

    package init(_ what: String, _ number: Int32) {
        message = "\(what): \(String(cString: strerror(number)))"
        self.number = number
    }

    package init(_ message: String) {
        self.message = message
        number = 0
    }

    package var isBrokenPipe: Bool { number == EPIPE }
    package var description: String { message }
}
