/// Why there is no listener.
public struct ListenerError: Error, Sendable, CustomStringConvertible {
    /// What kind of failure it is. May grow.
    public struct Code: RawRepresentable, Hashable, Sendable {
        public let rawValue: String

        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        public static let invalidOption = Code(rawValue: "invalidOption")
        /// The address is in use, not ours, or not permitted; the message says which.
        public static let cannotListen = Code(rawValue: "cannotListen")
    }

    public let code: Code
    /// One line for people.
    public let message: String

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    public var description: String { message }
}
