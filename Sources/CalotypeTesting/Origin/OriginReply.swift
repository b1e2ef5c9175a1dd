public import CalotypeHTTP
public import Foundation

/// A reply of an ``OriginServer``, and how the server sends it.
///
/// ```swift
/// origin.on("/slow.jpg", .ok(photo).held(by: gate))
/// origin.on("/cut.jpg", .ok(photo).droppedAfter(bytes: 1000))
/// origin.on("/flaky.jpg", replies: [.status(503), .ok(photo)])
/// ```
public struct OriginReply: Sendable {
    enum Pace: Sendable {
        case whole
        case heldAfter(Int, Gate)
        case dripping(Int, Gate)
        case timed(Int, Duration)
    }

    /// The status code.
    public var status: Int
    /// The header fields. The server adds Content-Length and Date unless they are present.
    public var fields: HTTPFields
    /// The bytes of the body.
    public var body: Data

    var gate: Gate?
    var pace = Pace.whole
    var cut: Int?
    var isReset = false
    var announced: Int?
    var isChunked = false

    /// Creates a reply.
    public init(status: Int = 200, fields: HTTPFields = [:], body: Data = Data()) {
        self.status = status
        self.fields = fields
        self.body = body
    }
}

// MARK: Regular replies

extension OriginReply {
    /// Returns a reply with status 200 and this body.
    public static func ok(_ body: Data, type: String = "image/jpeg") -> OriginReply {
        OriginReply(fields: ["Content-Type": ByteString(type)], body: body)
    }

    /// Returns a reply with this status and an empty body.
    public static func status(_ status: Int) -> OriginReply {
        OriginReply(status: status)
    }

    /// Returns a redirect to `target`, the unmodified value of Location.
    public static func redirect(to target: String, status: Int = 302) -> OriginReply {
        OriginReply(status: status, fields: ["Location": ByteString(target)])
    }

    /// Returns an HTML page, such as the error pages that some servers send in place of an image.
    public static func html(_ text: String) -> OriginReply {
        .ok(Data(text.utf8), type: "text/html; charset=utf-8")
    }
}

// MARK: Slow replies

extension OriginReply {
    /// Returns a copy of this reply that the server does not begin to send before the gate opens.
    public func held(by gate: Gate) -> OriginReply {
        with { $0.gate = gate }
    }

    /// Returns a copy of this reply. The server sends its head and this many bytes of its body, and the rest once the
    /// gate opens.
    public func bodyHeld(by gate: Gate, after bytes: Int) -> OriginReply {
        with { $0.pace = .heldAfter(max(bytes, 0), gate) }
    }

    /// Returns a copy of this reply. The server sends its head, then this many bytes for each `gate.open(count: 1)`.
    public func dripping(bytes: Int, gate: Gate) -> OriginReply {
        with { $0.pace = .dripping(max(bytes, 1), gate) }
    }

    /// Returns this reply, sent in pieces of this many bytes: the first at once, then one per interval of real time.
    ///
    /// For demonstrations only: tests that wait for real time are slow, and fail on a busy machine.
    public func dripping(bytes: Int, every interval: Duration) -> OriginReply {
        with { $0.pace = .timed(max(bytes, 1), interval) }
    }
}

// MARK: Faulty replies

extension OriginReply {
    /// Returns this reply, cut off: the server closes the connection after this many bytes of the body. Content-Length
    /// still announces the full length.
    public func droppedAfter(bytes: Int) -> OriginReply {
        with { $0.cut = max(bytes, 0) }
    }

    /// Returns a reply for which the server closes the connection without sending a response.
    public func resetImmediately() -> OriginReply {
        with { $0.isReset = true }
    }

    /// Returns this reply with a wrong Content-Length. The server sends the whole body and closes the connection.
    ///
    /// If the body is held or dripping, the server sends no bytes beyond the announced length.
    public func announcing(contentLength: Int) -> OriginReply {
        with { $0.announced = max(contentLength, 0) }
    }

    /// Returns this reply without Content-Length, so that the client learns the length only at the end of the body.
    public func chunked() -> OriginReply {
        with { $0.isChunked = true }
    }

    private func with(_ change: (inout OriginReply) -> Void) -> OriginReply {
        var copy = self
        change(&copy)
        return copy
    }
}
