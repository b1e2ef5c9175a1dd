/// Why there is no page of photos: one line for people.
public struct PhotoAPIError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What kind of failure it is. May grow.
    public struct Code: Hashable, Sendable {
        private let name: String

        /// No answer, or not a whole one; a server that refuses.
        public static let unreachable = Code(name: "unreachable")
        /// A web page in place of data.
        public static let webPage = Code(name: "webPage")
        /// Data, but not about photos.
        public static let otherShape = Code(name: "otherShape")
        /// More than a page of photos can be.
        public static let tooLarge = Code(name: "tooLarge")
        /// The address is none.
        public static let invalidAddress = Code(name: "invalidAddress")
    }

    public let code: Code
    public let message: String

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    public var description: String { message }
}
