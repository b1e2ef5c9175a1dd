import CalotypeHTTP

struct HeadWriter {
    private(set) var bytes: [UInt8] = []

    init(status: Int) {
        bytes.reserveCapacity(256)
        bytes += "HTTP/1.1 \(status) \(statusPhrase(status))\r\n".utf8
    }

    init(continuing head: [UInt8]) { bytes = head }

    mutating func add(_ field: HTTPFields.Field) {
        field.name.spelling.withBytes { bytes += $0 }
        bytes += ": ".utf8
        field.value.withBytes { bytes += $0 }
        end()
    }

    mutating func add(_ line: String) {
        bytes += line.utf8
        end()
    }

    /// Ends the line, or the head if the line is empty.
    mutating func end() { bytes += "\r\n".utf8 }
}

extension HTTPFields.Field {
    /// `true` if name and value are valid, so that neither can break the line.
    var canBeSent: Bool { name.isHTTPToken && value.isFieldContent }
}
