/// Why there is no page of photos: one line for people.
package struct PhotoAPIError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure. Codes may be added.
    package struct Code: Hashable, Sendable {
        private let name: String

        /// No answer, or not a whole one; a server that refuses.
        package static let unreachable = Code(name: "unreachable")
        /// A web page in place of data.
        package static let webPage = Code(name: "webPage")
        /// Data, but not about photos.
        package static let otherShape = Code(name: "otherShape")
        /// More than a page of photos can be.
        package static let tooLarge = Code(name: "tooLarge")
        /// The address is none.
        package static let invalidAddress = Code(name: "invalidAddress")
    }

    package let code: Code
    package let message: String

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    package var description: String { message }
}
