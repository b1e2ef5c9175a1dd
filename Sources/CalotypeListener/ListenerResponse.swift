package import CalotypeHTTP
package import Foundation

/// The answer of a handler.
///
/// Framing is the listener's business: it adds Content-Length or `Transfer-Encoding: chunked`, and Date unless `fields`
/// has one. It sends no body in answer to HEAD, nor with 204 and 304. `Content-Length` in `fields` counts where the
/// length is not known otherwise: in answer to HEAD, with 304, and for a stream. Where it is not the length of the bytes
/// given, it is sent all the same, all bytes follow, and the connection is closed: for tests of clients.
package struct ListenerResponse: Sendable {
    enum Content: Sendable {
        case bytes(Data)
        case stream(HTTPBody, length: Int?)
        case file(FileSlice)
        case drop
    }

    package var status: Int
    package var fields: HTTPFields
    /// A Boolean value indicating whether to close the connection afterwards, and say so. False.
    package var closesConnection = false
    var content: Content

    package init(status: Int = 200, fields: HTTPFields = [:], body: Data = Data()) {
        self.status = status
        self.fields = fields
        content = .bytes(body)
    }

    /// A body that is sent as it comes, no faster than the client reads it.
    ///
    /// If it throws, or ends before `length`, the connection is closed in the middle, which is how HTTP tells a client
    /// that there should have been more.
    ///
    /// - Parameter length: bytes in all. Nil: chunked.
    package init(status: Int = 200, fields: HTTPFields = [:], stream: HTTPBody, length: Int? = nil) {
        self.status = status
        self.fields = fields
        content = .stream(stream, length: length)
    }

    /// A body that the kernel sends from its file.
    package init(status: Int = 200, fields: HTTPFields = [:], file: FileSlice) {
        self.status = status
        self.fields = fields
        content = .file(file)
    }

    private init(content: Content) {
        status = 0
        fields = [:]
        self.content = content
    }

    /// Closes the connection without a word.
    package static let drop = ListenerResponse(content: .drop)
}

/// The immediate result of a handler: an answer, or the promise of one.
package struct ListenerAnswer: Sendable {
    enum Kind: Sendable {
        case now(ListenerResponse)
        case ready(PreparedResponse)
        case later(@Sendable (InterimResponder) async -> ListenerResponse)
    }

    let kind: Kind

    /// Answers without suspending the connection: the fast way.
    package static func now(_ response: ListenerResponse) -> ListenerAnswer { ListenerAnswer(kind: .now(response)) }

    /// Answers as ``now(_:)-(ListenerResponse)``, with what was made before.
    package static func now(_ response: PreparedResponse) -> ListenerAnswer { ListenerAnswer(kind: .ready(response)) }

    /// Suspends the connection while `work` runs, in a task that is cancelled when the client leaves or the listener
    /// stops. A client that closes only its sending side counts as having left.
    package static func later(_ work: @escaping @Sendable () async -> ListenerResponse) -> ListenerAnswer {
        ListenerAnswer(kind: .later({ _ in await work() }))
    }

    /// As ``later(_:)``, for an answer that may have interim responses before it, such as 103.
    package static func laterWithInterim(
        _ work: @escaping @Sendable (InterimResponder) async -> ListenerResponse
    ) -> ListenerAnswer {
        ListenerAnswer(kind: .later(work))
    }
}
