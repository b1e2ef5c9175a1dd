import CalotypeBase
import CalotypeHTTP
import CalotypeHTTPCache
import CalotypeURLs

/// A signature of requests to an object store: AWS Signature Version 4, in the Authorization field.
///
/// The path is signed as it is sent, encoded once: for other services of AWS it would be encoded twice.
struct SigV4: Hashable, Sendable {
    /// The region, such as "eu-central-1".
    let region: ByteString
    /// The service. The default is S3.
    var service: ByteString = "s3"

    struct Credentials: Hashable, Sendable {
        let id: ByteString
        let secret: ByteString
        /// The session token of temporary credentials; `nil` for permanent ones.
        var token: ByteString?
    }

    /// The parts of a request that are signed.
    struct Subject: Hashable, Sendable {
        var method: HTTPMethod = .get
        /// The value of Host, with the port unless it is that of the scheme.
        let host: ByteString
        /// The request target as it is sent.
        let target: ByteString
        var fields: HTTPFields = [:]
        /// The SHA-256 digest of the body, as 64 hexadecimal digits. The default is that of no body.
        var bodyDigest = SigV4.digest(of: "")
    }

    /// Returns the fields to send with the request: the date, the digest of the body, the token and the signature.
    ///
    /// - Parameter now: The time by the store's clock, in seconds since 1970.
    func fields(for subject: Subject, by credentials: Credentials, at now: Double) -> HTTPFields {
        var fields: HTTPFields = ["X-Amz-Date": Self.timestamp(now), "X-Amz-Content-Sha256": subject.bodyDigest]
        fields["X-Amz-Security-Token"] = credentials.token
        var signed = subject
        for field in fields { signed.fields[field.name] = field.value }
        fields["Authorization"] = authorization(for: signed, by: credentials, at: now)
        return fields
    }

    /// Returns the value of Authorization for a request that has all other fields.
    func authorization(for subject: Subject, by credentials: Credentials, at now: Double) -> ByteString {
        let lines = Self.signedLines(of: subject)
        let names = lines.map(\.name).joined(separator: ";")
        let time = Self.timestamp(now), day = ByteString(time.string.prefix(8))
        let scope: ByteString = "\(day)/\(region)/\(service)/aws4_request"
        let digest = Self.digest(of: Self.canonical(subject, lines, names))
        let text: ByteString = "AWS4-HMAC-SHA256\n\(time)\n\(scope)\n\(digest)"
        let signature = ByteString(hexadecimal: HMACCode(key: key(of: credentials, on: day)).code(of: text))
        return "AWS4-HMAC-SHA256 Credential=\(credentials.id)/\(scope),SignedHeaders=\(names),Signature=\(signature)"
    }

    /// Returns the key of a day, a region and a service.
    private func key(of credentials: Credentials, on day: ByteString) -> [UInt8] {
        let secret: ByteString = "AWS4\(credentials.secret)"
        return [day, region, service, "aws4_request"].reduce(secret.bytes) { HMACCode(key: $0).code(of: $1) }
    }

    // MARK: The canonical request

    private static func canonical(
        _ subject: Subject, _ lines: [(name: ByteString, value: ByteString)], _ names: ByteString
    ) -> ByteString {
        let parts = subject.target.split(separator: UInt8(ascii: "?"), maxSplits: 1)
        let head = lines.map { "\($0.name):\($0.value)\n" as ByteString }.joined(separator: "")
        let query = canonicalQuery(parts.count == 2 ? parts[1] : "")
        return "\(subject.method.rawValue)\n\(parts[0])\n\(query)\n\(head)\n\(names)\n\(subject.bodyDigest)"
    }

    /// The names of the fields that are signed besides Host and those of the protocol: they change what is read or stored.
    private static let signedNames: Set<ByteString> = ["range", "date", "content-type", "content-md5"]

    /// The signed fields in order, each once. A value has no blanks at its ends, and single ones inside.
    private static func signedLines(of subject: Subject) -> [(name: ByteString, value: ByteString)] {
        var values: [ByteString: [ByteString]] = ["host": [subject.host]]
        for field in subject.fields {
            let name = field.name.lowercased
            guard name.hasPrefix("x-amz-") || signedNames.contains(name) else { continue }
            let words = field.value.split(separator: UInt8(ascii: " ")).filter { !$0.isEmpty }
            values[name, default: []].append(words.joined(separator: " "))
        }
        return values.map { (name: $0.key, value: $0.value.joined(separator: ",")) }
            .sorted { $0.name.precedes($1.name) }
    }

    /// Returns a query with its parts in order, each with a "=" and with all bytes encoded that may be.
    static func canonicalQuery(_ query: ByteString) -> ByteString {
        guard !query.isEmpty else { return "" }
        let pairs = query.split(separator: UInt8(ascii: "&")).map { pair in
            let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1).map {
                ($0.percentDecoded ?? $0).percentEncoded { $0.isUnreserved }
            }
            return (name: parts[0], value: parts.count == 2 ? parts[1] : "")
        }
        let sorted = pairs.sorted { one, other in
            one.name == other.name ? one.value.precedes(other.value) : one.name.precedes(other.name)
        }
        return sorted.map { "\($0.name)=\($0.value)" as ByteString }.joined(separator: "&")
    }

    // MARK: Texts

    static func digest(of text: ByteString) -> ByteString {
        ByteString(text.withBytes { KeyDigest.hex(of: $0) })
    }

    private static let months: [ByteString] = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// Returns a time in the basic format of ISO 8601, such as "20130524T000000Z".
    static func timestamp(_ seconds: Double) -> ByteString {
        // "Fri, 24 May 2013 00:00:00 GMT", of fixed length.
        let date = HTTPDate.format(seconds).bytes
        let month = months.firstIndex(of: ByteString(bytes: date[8..<11])) ?? 0
        let day: ByteString = "\(ByteString(bytes: date[12..<16]))\(month < 9 ? "0" : "")\(month + 1)"
        let time = date[17..<25].filter { $0 != UInt8(ascii: ":") }
        return "\(day)\(ByteString(bytes: date[5..<7]))T\(ByteString(bytes: time))Z"
    }
}

extension ByteString {
    fileprivate func precedes(_ other: ByteString) -> Bool {
        withBytes { bytes in other.withBytes { bytes.lexicographicallyPrecedes($0) } }
    }
}
