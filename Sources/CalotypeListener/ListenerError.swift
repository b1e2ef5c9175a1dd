/// Why there is no listener.
package struct ListenerError: Error, Sendable, CustomStringConvertible {
    /// The kind of failure. Codes may be added.
    package struct Code: RawRepresentable, Hashable, Sendable {
        package let rawValue: String

        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        package static let invalidOption = Code(rawValue: "invalidOption")
        /// The address is in use, not ours, or not permitted; the message says which.
        package static let cannotListen = Code(rawValue: "cannotListen")
    }

    package let code: Code
    /// One line for people.
    package let message: String

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    package var description: String { message }
}
