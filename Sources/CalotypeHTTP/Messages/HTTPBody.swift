public import Foundation

/// The body of a response or of an upload: chunks in order, at the pace of the reader.
///
/// Read it once, from one task. Releasing it unread ends the transfer.
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

    /// Creates a body from bytes in memory.
    public init(_ data: Data) {
        content = .whole(data)
    }

    /// Creates a body that streams from a source, which is released with the last copy of the body and its iterators.
    public init(_ source: some HTTPBodySource) {
        content = .stream(source)
    }

    /// Creates a lazy body, which opens a source when it is read: each iterator reads from the start.
    package init(opening open: @escaping @Sendable () -> any HTTPBodySource) {
        content = .lazy(open: open)
    }

    package var isLazy: Bool {
        if case .lazy = content { true } else { false }
    }

    /// Returns a body whose source reads this body and may change its bytes. If this body is lazy, so is the result.
    package func wrapped(by wrap: @escaping @Sendable (HTTPBody) -> any HTTPBodySource) -> HTTPBody {
        guard case .lazy(let open) = content else { return HTTPBody(wrap(self)) }
        return HTTPBody(opening: { wrap(HTTPBody(open())) })
    }

    /// The complete bytes, or `nil` for a streaming or lazy body.
    package var whole: Data? {
        if case .whole(let data) = content { data } else { nil }
    }

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

    /// An iterator over the chunks of a body.
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

    /// Reads the body to its end.
    ///
    /// - Parameters:
    ///   - limit: The maximum size, in bytes. A longer body throws `bodyTooLarge`. The default is no limit.
    ///   - expected: The expected size, usually Content-Length. At most 1 MiB of it is reserved in advance.
    ///   - onProgress: Called after each chunk with the number of bytes so far.
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

/// The source of a streaming body. Releasing it ends the transfer.
public protocol HTTPBodySource: AnyObject, Sendable {
    /// Returns the next chunk, which is never empty, or `nil` at the end. Only one task at a time calls it.
    func next() async throws(TransportError) -> Data?
}
