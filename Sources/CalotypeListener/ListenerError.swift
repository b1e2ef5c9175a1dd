package import CalotypeBase

/// An error that prevents a listener from starting.
package struct ListenerError: Error, Sendable, CustomStringConvertible {
    /// The kind of failure. Codes may be added.
    package typealias Code = ErrorCode<ListenerError>

    let code: Code
    /// A one-line description for people.
    let message: String

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    package var description: String { message }
}

extension ErrorCode where Failure == ListenerError {
    static var invalidOption: Self { Self(rawValue: "invalidOption") }
    /// The listener cannot start: the address is in use, not an address of this machine or not permitted, or the system
    /// lacks descriptors or threads. The message names the reason.
    static var cannotListen: Self { Self(rawValue: "cannotListen") }
}
