/// The reason that a page or a photo could not be read, in one line for people.
package struct PhotoAPIError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Code: Hashable, Sendable {
        /// No response, or an incomplete one.
        case unreachable
        /// A status other than 2xx.
        case badStatus
        /// A web page instead of data.
        case webPage
        /// Data, but not about photos.
        case otherShape
        /// A body larger than the limit of a page.
        case tooLarge
    }

    package let code: Code
    package let message: String
    /// The status of the response; `nil` unless the code is `badStatus`.
    package let status: Int?

    init(_ code: Code, _ message: String, status: Int? = nil) {
        self.code = code
        self.message = message
        self.status = status
    }

    package var description: String { message }
}
