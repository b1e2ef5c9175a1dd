import CMicroHTTPD
import CalotypeHTTP
import Foundation
import ResourceProvider

/// Request line and fields, as the library took them apart.
struct RequestHead {
    let method: String
    /// Byte for byte as it was sent.
    let target: String
    /// "1.0" or "1.1".
    let version: String
    let fields: HTTPFields

    /// Whether a body follows (RFC 9112 §6.3).
    var announcesBody: Bool { isChunked || (contentLength ?? 0) > 0 }

    var isChunked: Bool { fields.contains { $0.name == "Transfer-Encoding" } }
    var contentLength: Int? { fields.contentLength }
}

extension RequestHead {
    /// Reads the head, and refuses what the library lets through.
    ///
    /// libmicrohttpd takes bare line feeds, folded lines, NUL bytes and nameless lines without a word, and hands over
    /// what it makes of them: a request that whoever comes next may read otherwise. All of them show in the count of
    /// bytes: the lines as they were handed over, each with its colon and line end, must be exactly as long as what the
    /// library read. That takes no look at anything but what it gives out.
    ///
    /// - Parameters:
    ///   - line: method and version, in the library's own memory.
    ///   - target: as it stood before the library decoded it.
    static func read(
        from connection: OpaquePointer, line: (method: UnsafePointer<CChar>, version: UnsafePointer<CChar>),
        target: String
    ) throws(RequestRefusal) -> RequestHead {
        let lines = FieldLines(of: connection)
        let head = RequestHead(
            method: String(cString: line.method), target: target,
            version: String(String(cString: line.version).dropFirst("HTTP/".count)), fields: HTTPFields(lines.fields))
        guard lines.areWellFormed else {
            throw RequestRefusal("A field of the request has a name or value that HTTP does not allow.")
        }
        let lineLength = strlen(line.method) + 1 + target.utf8.count + 1 + strlen(line.version) + 2
        guard lineLength + lines.length + 2 == calotype_mhd_head_size(connection) else {
            throw RequestRefusal("The request's head breaks its lines as HTTP does not allow.")
        }
        try head.check()
        return head
    }
}

/// What the library hands over, line by line.
private struct FieldLines {
    var fields: [HTTPFields.Field] = []
    /// Bytes on the wire, line ends included.
    var length = 0
    var areWellFormed = true

    init(of connection: OpaquePointer) {
        fields.reserveCapacity(16)
        withUnsafeMutablePointer(to: &self) { lines in
            _ = MHD_get_connection_values_n(
                connection, .HEADER_KIND,
                { closure, _, name, nameLength, value, valueLength in
                    guard let closure, let name else { return .YES }
                    closure.assumingMemoryBound(to: FieldLines.self).pointee.take(
                        UnsafeRawBufferPointer(start: name, count: nameLength),
                        UnsafeRawBufferPointer(start: value, count: value == nil ? 0 : valueLength))
                    return .YES
                }, lines)
        }
    }

    private mutating func take(_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) {
        if !name.isHTTPToken || !value.isFieldContent { areWellFormed = false }
        fields.append(
            HTTPFields.Field(
                name: CaselessString(ByteString(bytes: name)), value: ByteString(bytes: value.withoutOuterBlanks)))
        guard let start = name.baseAddress, let valueStart = value.baseAddress else { return areWellFormed = false }
        // The white space behind the colon is not handed over; it lies between the two.
        let upToValue = valueStart - start
        // A folded line was copied elsewhere, so that the distance says nothing.
        guard upToValue > name.count, upToValue < 1 << 24 else { return areWellFormed = false }
        length += upToValue + value.count + 2
    }
}
