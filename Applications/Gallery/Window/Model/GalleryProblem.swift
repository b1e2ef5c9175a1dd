/// The reason that a place shows no images: a sentence, and details on request.
package struct GalleryProblem: Error, Hashable, Sendable {
    /// The kind of page that shows the problem.
    package enum Kind: Hashable, Sendable {
        /// The text that the user typed names no place.
        case invalid
        /// The folder does not exist.
        case missing
        /// The place has no images.
        case empty
        /// The server cannot be reached, and the place is not cached.
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
