import CCurl
import CalotypeHTTP

/// Owns lines of text as curl wants them, such as the request fields.
final class CurlFieldList {
    private(set) var pointer: UnsafeMutablePointer<curl_slist>?

    /// - Parameters:
    ///   - hasBody: whether a body goes with them.
    ///   - isPlain: whether nothing is to be added that is not among them.
    init(_ fields: HTTPFields, hasBody: Bool, isPlain: Bool) {
        for field in fields where !Self.framing.contains(field.name) {
            // "Name:" without a value takes a field out; with a semicolon it is sent empty.
            append(field.value.isEmpty ? "\(field.name);" : "\(field.name): \(field.value)")
        }
        // What curl would add of its own.
        if fields["Accept"] == nil { append("Accept:") }
        if fields["Accept-Encoding"] == nil && !isPlain { append("Accept-Encoding: identity") }
        if hasBody {
            if fields["Content-Type"] == nil { append("Content-Type:") }
            if fields["Expect"] == nil { append("Expect:") }
        }
    }

    init(_ lines: [String]) {
        for line in lines { append(ByteString(line)) }
    }

    deinit { curl_slist_free_all(pointer) }

    /// curl writes these itself, from the body that it has.
    private static let framing: [CaselessString] = ["Content-Length", "Transfer-Encoding"]

    private func append(_ line: ByteString) {
        // Null only when there is no memory; the list that was stays valid.
        let longer = line.withCString { curl_slist_append(pointer, $0) }
        if let longer { pointer = longer }
    }
}

/// Owns the buffer in which curl explains an error.
final class CurlErrorText {
    let pointer: UnsafeMutablePointer<CChar>

    init() {
        pointer = .allocate(capacity: Int(CURL_ERROR_SIZE))
        pointer.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    }

    deinit { pointer.deallocate() }

    var text: String { String(cString: pointer) }
}
