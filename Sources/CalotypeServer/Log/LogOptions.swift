/// The log of answers.
package struct LogOptions: Sendable {
    /// The answers that have records.
    package enum Level: Sendable {
        /// Those with a status of 400 and above.
        case errors
        /// Also those for which there was work, or whose client left: all but results from the cache.
        case made
        case all
    }

    /// A fact of a record that not every log has.
    package enum Field: String, CaseIterable, Sendable {
        case method, client, trace
        case userAgent = "user-agent"
        case sourceFormat = "source-format"
        case sourceBytes = "source-bytes"
    }

    /// The facts of records besides those that all have. Empty by default.
    package var fields: Set<Field> = []
    /// Called with the record of each answer that ``level`` includes, on threads that must not block. The default,
    /// `nil`, makes no records.
    package var add: (@Sendable (AnswerRecord) -> Void)?
    /// The answers that have records. The default is `errors`.
    package var level = Level.errors
}
