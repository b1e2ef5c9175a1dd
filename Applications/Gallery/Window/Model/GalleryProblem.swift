/// The reason that a place has nothing to show: a sentence for people, and details for those who ask.
package struct GalleryProblem: Error, Hashable, Sendable {
    /// The kind of page that shows the problem.
    package enum Kind: Hashable, Sendable {
        /// What was typed names no place.
        case invalid
        /// The folder is not there.
        case missing
        /// The place has no images.
        case empty
        /// The server cannot be reached, and nothing of the place is cached.
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
