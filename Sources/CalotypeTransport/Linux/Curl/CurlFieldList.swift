import CCurl
import CalotypeHTTP

/// The owner of text lines in curl's format, such as request fields.
final class CurlFieldList {
    private(set) var pointer: UnsafeMutablePointer<curl_slist>?

    /// - Parameters:
    ///   - hasBody: Whether the request has a body.
    ///   - isPlain: Whether to leave out the `Accept-Encoding: identity` that other requests without this field get.
    init(_ fields: HTTPFields, hasBody: Bool, isPlain: Bool) {
        for field in fields where !Self.framing.contains(field.name) {
            // For "Name:" without a value, curl sends no such field; for "Name;" it sends the field with an empty
            // value.
            append(field.value.isEmpty ? "\(field.name);" : "\(field.name): \(field.value)")
        }
        // "Name:" without a value prevents curl from adding this field itself.
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

    /// The fields that curl itself writes, from the actual body.
    private static let framing: [CaselessString] = ["Content-Length", "Transfer-Encoding"]

    private func append(_ line: ByteString) {
        // `nil` only if memory runs out; the existing list stays valid.
        let longer = line.withCString { curl_slist_append(pointer, $0) }
        if let longer { pointer = longer }
    }
}

/// The owner of the buffer for curl's error messages.
final class CurlErrorText {
    let pointer: UnsafeMutablePointer<CChar>

    init() {
        pointer = .allocate(capacity: Int(CURL_ERROR_SIZE))
        pointer.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    }

    deinit { pointer.deallocate() }

    var text: String { String(cString: pointer) }
}
