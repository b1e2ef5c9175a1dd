/// The reason that the gallery can show no images, or no further images, of a location.
package struct GalleryProblem: Error, Hashable, Sendable {
    /// The kind of problem, which determines the title, the icon and the buttons of the page.
    package enum Kind: Hashable, Sendable {
        /// The text that the user typed is no address and no path of a folder or an image.
        case invalid
        case missing
        case empty
        /// The server cannot be reached, and its list of images is not cached.
        case unreachable
        /// Anything else.
        case failed
    }

    package let kind: Kind
    package let sentence: String
    package let details: String?

    package init(_ kind: Kind, _ sentence: String, details: String? = nil) {
        self.kind = kind
        self.sentence = sentence
        self.details = details
    }
}
