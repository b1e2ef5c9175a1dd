public import CalotypeHTTP
public import Foundation

/// The reply of an ``OriginServer``, and how well or badly it behaves while it sends it.
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
    /// Content-Length and Date are added unless they are here.
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

// MARK: Plain answers

extension OriginReply {
    /// A 200 with these bytes.
    public static func ok(_ body: Data, type: String = "image/jpeg") -> OriginReply {
        OriginReply(fields: ["Content-Type": ByteString(type)], body: body)
    }

    /// A status and nothing else.
    public static func status(_ status: Int) -> OriginReply {
        OriginReply(status: status)
    }

    /// - Parameter target: the value of Location, sent as it is.
    public static func redirect(to target: String, status: Int = 302) -> OriginReply {
        OriginReply(status: status, fields: ["Location": ByteString(target)])
    }

    /// A page, such as those that servers send in place of an image.
    public static func html(_ text: String) -> OriginReply {
        .ok(Data(text.utf8), type: "text/html; charset=utf-8")
    }
}

// MARK: Slow answers

extension OriginReply {
    /// Nothing is sent before the gate opens.
    public func held(by gate: Gate) -> OriginReply {
        with { $0.gate = gate }
    }

    /// The head and the first bytes go out; the rest waits for the gate.
    public func bodyHeld(by gate: Gate, after bytes: Int) -> OriginReply {
        with { $0.pace = .heldAfter(max(bytes, 0), gate) }
    }

    /// The head goes out, then one chunk of so many bytes each time the gate lets one through: `gate.open(count: 1)`.
    public func dripping(bytes: Int, gate: Gate) -> OriginReply {
        with { $0.pace = .dripping(max(bytes, 1), gate) }
    }

    /// One chunk of so many bytes in each interval of real time, the first at once. For demonstrations; a test that
    /// waits for real time is slow today and fails on a busy machine tomorrow.
    public func dripping(bytes: Int, every interval: Duration) -> OriginReply {
        with { $0.pace = .timed(max(bytes, 1), interval) }
    }
}

// MARK: Bad answers

extension OriginReply {
    /// Closes the connection in the middle of the body, though Content-Length told its full length.
    public func droppedAfter(bytes: Int) -> OriginReply {
        with { $0.cut = max(bytes, 0) }
    }

    /// Closes the connection without a byte of an answer.
    public func resetImmediately() -> OriginReply {
        with { $0.isReset = true }
    }

    /// Says that the body is so many bytes long, whatever it is; the whole body follows, and then the connection ends.
    ///
    /// Together with a slow answer, nothing is sent beyond the length announced.
    public func announcing(contentLength: Int) -> OriginReply {
        with { $0.announced = max(contentLength, 0) }
    }

    /// No Content-Length: the client learns the length when the end comes.
    public func chunked() -> OriginReply {
        with { $0.isChunked = true }
    }

    private func with(_ change: (inout OriginReply) -> Void) -> OriginReply {
        var copy = self
        change(&copy)
        return copy
    }
}
