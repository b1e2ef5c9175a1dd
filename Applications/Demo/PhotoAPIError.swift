/// The reason that a page or a photo could not be read, in one line for people.
package struct PhotoAPIError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Code: Hashable, Sendable {
        /// No response, an incomplete response, or a status other than 2xx.
        case unreachable
        /// A web page instead of data.
        case webPage
        /// Data, but not about photos.
        case otherShape
        /// A body larger than the limit of a page.
        case tooLarge
    }

    package let code: Code
    package let message: String

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    package var description: String { message }
}
