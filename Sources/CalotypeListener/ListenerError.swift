package import CalotypeBase

/// Why there is no listener.
package struct ListenerError: Error, Sendable, CustomStringConvertible {
    /// The kind of failure. Codes may be added.
    package typealias Code = ErrorCode<ListenerError>

    package let code: Code
    /// One line for people.
    package let message: String

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    package var description: String { message }
}

extension ErrorCode where Failure == ListenerError {
    package static var invalidOption: Self { Self(rawValue: "invalidOption") }
    /// The address is in use, not ours, or not permitted; the message says which.
    package static var cannotListen: Self { Self(rawValue: "cannotListen") }
}
