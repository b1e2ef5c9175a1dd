import CCurl
import CalotypeHTTP

/// The owner of a `curl_slist`, such as the lines of a request's fields.
final class CurlFieldList {
    private(set) var pointer: UnsafeMutablePointer<curl_slist>?

    /// - Parameter isPlain: If `false`, fields without Accept-Encoding get `Accept-Encoding: identity`.
    init(_ fields: HTTPFields, hasBody: Bool, isPlain: Bool) {
        for field in fields where !Self.framing.contains(field.name) {
            // "Name:" without a value makes curl omit the field; "Name;" makes it send the field with an empty value.
            append(field.value.isEmpty ? "\(field.name);" : "\(field.name): \(field.value)")
        }
        // Prevent curl from adding these fields itself.
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

    /// The fields that curl itself writes, for the body that it sends.
    private static let framing: [CaselessString] = ["Content-Length", "Transfer-Encoding"]

    private func append(_ line: ByteString) {
        // `nil` only if memory runs out; the existing list stays valid.
        let longer = line.withCString { curl_slist_append(pointer, $0) }
        if let longer { pointer = longer }
    }
}

final class CurlErrorText {
    let pointer: UnsafeMutablePointer<CChar>

    init() {
        pointer = .allocate(capacity: Int(CURL_ERROR_SIZE))
        pointer.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    }

    deinit { pointer.deallocate() }

    var text: String { String(cString: pointer) }
}
