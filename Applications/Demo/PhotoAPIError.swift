/// The reason that a page or a photo could not be read, in one line for people.
package struct PhotoAPIError: Error, Hashable, Sendable, CustomStringConvertible {
    package struct Code: Hashable, Sendable {
        private let name: String

        /// No response, an incomplete one, or a status other than 2xx.
        package static let unreachable = Code(name: "unreachable")
        /// A web page instead of data.
        package static let webPage = Code(name: "webPage")
        /// Data, but not about photos.
        package static let otherShape = Code(name: "otherShape")
        /// A body larger than the limit of a page.
        package static let tooLarge = Code(name: "tooLarge")
    }

    package let code: Code
    package let message: String

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    package var description: String { message }
}
