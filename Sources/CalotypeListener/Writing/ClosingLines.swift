import CalotypeHTTP

/// The last lines of a head: Connection, Date and the empty line. The lines change at most once a second.
struct ClosingLines {
    enum Connection: Int, CaseIterable {
        /// HTTP/1.1 keeps the connection without a field.
        case kept
        /// HTTP/1.0 keeps the connection only if both sides ask for it with `Connection: keep-alive`.
        case keptByWish
        case closed

        fileprivate var line: String {
            switch self {
            case .kept: ""
            case .keptByWish: "Connection: keep-alive\r\n"
            case .closed: "Connection: close\r\n"
            }
        }
    }

    private static let undated = Connection.allCases.map { Array(($0.line + "\r\n").utf8) }

    private var second = Int.min
    private var dated: [[UInt8]] = []

    /// - Parameter now: The time in seconds since 1970.
    mutating func bytes(_ connection: Connection, hasDate: Bool, now: Int) -> [UInt8] {
        if hasDate { return Self.undated[connection.rawValue] }
        if second != now {
            second = now
            let date = HTTPDate.format(Double(now))
            dated = Connection.allCases.map { Array(($0.line + "Date: \(date)\r\n\r\n").utf8) }
        }
        return dated[connection.rawValue]
    }
}
