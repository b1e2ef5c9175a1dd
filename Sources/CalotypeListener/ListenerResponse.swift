package import CalotypeHTTP
package import Foundation

/// A handler's response.
///
/// The listener adds the framing (`Content-Length` or `Transfer-Encoding: chunked`), and `Date` unless `fields`
/// contains it. It sends no body in response to HEAD, nor with 204 and 304. A `Content-Length` in `fields` overrides
/// the length of bytes or a file, and is used for a stream without `length`. If it differs from the length of the bytes
/// or file sent, the listener sends both unchanged and closes the connection: this is for tests of clients.
package struct ListenerResponse: Sendable {
    enum Content: Sendable {
        case bytes(Data)
        case stream(HTTPBody, length: Int?)
        case file(FileSlice)
        case drop
    }

    package var status: Int
    package var fields: HTTPFields
    /// Whether to announce the end of the connection, and to close it after this response. The default is `false`.
    package var closesConnection = false
    /// Whether the head of a streamed response is sent together with the first bytes of the body, and not at all if the
    /// body fails before. A balancer can then repeat the request elsewhere, even if the process is killed. The default is
    /// `false`: the head is sent at once.
    package var headWaitsForBody = false
    var content: Content

    package init(status: Int = 200, fields: HTTPFields = [:], body: Data = Data()) {
        self.init(status: status, fields: fields, content: .bytes(body))
    }

    /// Creates a response whose body is streamed as fast as the client reads it.
    ///
    /// If the stream throws, or ends before `length`, the listener closes the connection, so that the client recognizes
    /// an incomplete body.
    ///
    /// - Parameter length: The length of the body in bytes, or `nil` for a chunked body.
    package init(status: Int = 200, fields: HTTPFields = [:], stream: HTTPBody, length: Int? = nil) {
        self.init(status: status, fields: fields, content: .stream(stream, length: length))
    }

    /// Creates a response whose body the kernel sends from a file.
    package init(status: Int = 200, fields: HTTPFields = [:], file: FileSlice) {
        self.init(status: status, fields: fields, content: .file(file))
    }

    private init(status: Int, fields: HTTPFields, content: Content) {
        (self.status, self.fields, self.content) = (status, fields, content)
    }

    /// The body, or `nil` if it is not in memory.
    package var bytes: Data? {
        if case .bytes(let data) = content { data } else { nil }
    }

    /// Closes the connection without a response.
    package static let drop = ListenerResponse(status: 0, fields: [:], content: .drop)
}

/// A handler's result: a response, or a task that will return one.
package struct ListenerAnswer: Sendable {
    enum Kind: Sendable {
        case now(ListenerResponse)
        case ready(PreparedResponse, adding: HTTPFields)
        case later(@Sendable (InterimResponder) async -> ListenerResponse)
    }

    let kind: Kind

    /// Answers at once, without a task.
    package static func now(_ response: ListenerResponse) -> ListenerAnswer { ListenerAnswer(kind: .now(response)) }

    /// Answers at once with a prepared response.
    ///
    /// - Parameter fields: Fields for this request alone, in addition to the prepared ones. Pass no framing fields.
    package static func now(_ response: PreparedResponse, adding fields: HTTPFields = [:]) -> ListenerAnswer {
        ListenerAnswer(kind: .ready(response, adding: fields))
    }

    /// Answers with the result of `work`, a task that is cancelled when the client leaves or the listener stops. A
    /// client that closes only its sending side counts as having left.
    package static func later(_ work: @escaping @Sendable () async -> ListenerResponse) -> ListenerAnswer {
        ListenerAnswer(kind: .later({ _ in await work() }))
    }

    /// Answers like ``later(_:)``, with interim responses such as 103 before the final one.
    package static func laterWithInterim(
        _ work: @escaping @Sendable (InterimResponder) async -> ListenerResponse
    ) -> ListenerAnswer {
        ListenerAnswer(kind: .later(work))
    }
}
