public import Foundation

/// A response's body: chunks in order, at the reader's pace.
///
/// Read it once, from one task. Releasing it unread ends the transfer behind it.
public struct HTTPBody: AsyncSequence, Sendable {
    public typealias Element = Data
    public typealias Failure = TransportError

    private enum Content: Sendable {
        case whole(Data)
        case stream(any HTTPBodySource)
        case lazy(open: @Sendable () -> any HTTPBodySource)
    }

    private let content: Content

    /// A body without bytes.
    public static let empty = HTTPBody(Data())

    /// A body that is there already.
    public init(_ data: Data) {
        content = .whole(data)
    }

    /// A body that arrives. The source is told to cancel when the last copy of the body and its iterators are gone.
    public init(_ source: some HTTPBodySource) {
        content = .stream(source)
    }

    /// The same, for a source of unknown type.
    private init(streaming source: any HTTPBodySource) {
        content = .stream(source)
    }

    /// A stored body: nothing of it is open or in memory until it is read, and each iterator reads it from its start.
    package init(opening open: @escaping @Sendable () -> any HTTPBodySource) {
        content = .lazy(open: open)
    }

    package var isLazy: Bool {
        if case .lazy = content { true } else { false }
    }

    /// The body behind another source. A lazy body stays lazy.
    package func wrapped(by wrap: @escaping @Sendable (HTTPBody) -> any HTTPBodySource) -> HTTPBody {
        guard case .lazy(let open) = content else { return HTTPBody(streaming: wrap(self)) }
        return HTTPBody(opening: { wrap(HTTPBody(streaming: open())) })
    }

    /// All of it, where it is there already; nil for a body that arrives.
    package var whole: Data? {
        if case .whole(let data) = content { data } else { nil }
    }

    /// Where it comes from; `nil` for a body that is there already.
    var source: (any HTTPBodySource)? {
        if case .stream(let source) = content { source } else { nil }
    }

    public func makeAsyncIterator() -> Iterator {
        switch content {
        case .whole(let data): Iterator(rest: data.isEmpty ? nil : data, source: nil)
        case .stream(let source): Iterator(rest: nil, source: source)
        case .lazy(let open): Iterator(rest: nil, source: open())
        }
    }

    /// The iterator over a body's chunks.
    public struct Iterator: AsyncIteratorProtocol {
        var rest: Data?
        let source: (any HTTPBodySource)?

        public mutating func next() async throws(TransportError) -> Data? {
            if let source { return try await source.next() }
            defer { rest = nil }
            return rest
        }

        public mutating func next(isolation actor: isolated (any Actor)?) async throws(TransportError) -> Data? {
            try await next()
        }
    }

    /// The whole body.
    ///
    /// - Parameters:
    ///   - limit: bytes at most; one more throws `bodyTooLarge` and ends the transfer.
    ///   - expected: how much memory to set aside at first, from Content-Length; at most 1 MiB is believed.
    ///   - onProgress: called after each chunk with the bytes so far.
    public func collect(
        limit: Int = .max, expected: Int? = nil, onProgress: (@Sendable (Int) -> Void)? = nil
    ) async throws(TransportError) -> Data {
        var iterator = makeAsyncIterator()
        guard var body = try await iterator.next() else { return Data() }
        if let expected, expected > body.count { body.reserveCapacity(Swift.min(expected, 1 << 20)) }
        var chunk: Data? = nil
        repeat {
            if let chunk { body.append(chunk) }
            guard body.count <= limit else { throw TransportError.bodyTooLarge(limit: limit) }
            onProgress?(body.count)
            chunk = try await iterator.next()
        } while chunk != nil
        return body
    }
}

/// Where a streamed body comes from. An object, which ends the transfer when it is let go.
public protocol HTTPBodySource: AnyObject, Sendable {
    /// The next chunk, never empty; nil at the end. Asked by one task at a time.
    func next() async throws(TransportError) -> Data?
}
