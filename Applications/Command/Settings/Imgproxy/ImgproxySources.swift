import CalotypeBase

/// The sources that imgproxy's variables permit together: prefixes of URLs, the switch of S3, and the names of buckets.
struct ImgproxySources {
    /// The values of `allow-source`.
    private(set) var permitted: [String] = []
    /// A text about each prefix that cannot apply.
    private(set) var leftOut: [String] = []

    private let usesBuckets: Bool
    private let buckets: [String]

    /// - Parameter environment: Names the buckets.
    init(_ environment: ImgproxyVariables.Environment) {
        usesBuckets = environment["IMGPROXY_USE_S3"].flatMap(ImgproxyVariables.isOn) ?? false
        buckets = ImgproxyVariables.list(environment["IMGPROXY_S3_ALLOWED_BUCKETS"] ?? "")
        let prefixes = ImgproxyVariables.list(environment["IMGPROXY_ALLOWED_SOURCES"] ?? "")
        guard !prefixes.isEmpty else {
            // Without prefixes imgproxy permits all sources; of the web, the operator has to say so here.
            if usesBuckets { permitBuckets() }
            return
        }
        for prefix in prefixes { add(prefix) }
        let files = ["local://", "local:///"]
        if prefixes.contains(where: { files.contains($0.lowercased()) }) {
            permitted.removeAll { $0.hasPrefix("local:") }
        }
    }

    /// Whether the prefixes permit files below the root, or there are none.
    static func permitsFiles(_ environment: ImgproxyVariables.Environment) -> Bool {
        let prefixes = ImgproxyVariables.list(environment["IMGPROXY_ALLOWED_SOURCES"] ?? "")
        return prefixes.isEmpty || prefixes.contains { $0.lowercased().hasPrefix("local://") }
    }

    private mutating func add(_ prefix: String) {
        let parts = prefix.split(separator: "://", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let (scheme, rest) = (parts[0].lowercased(), parts.count > 1 ? parts[1] : "")
        guard parts.count > 1, ["http", "https", "s3", "local"].contains(scheme) else {
            return leftOut.append("\(prefix) is left out: the sources of this server are http, https, s3 and local")
        }
        let place = rest.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let path = place.count > 1 ? place[1] : ""
        guard !path.contains("*") else { return leaveOut(prefix, "it has * in its path") }
        switch scheme {
        case "local": if !path.isEmpty { permitted.append("local:///\(path)") }
        case "s3": addBucket(place[0], path, prefix)
        default:
            let words = place[0].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            let host = words[0].isEmpty ? "*" : words[0]
            guard !host.dropFirst().contains("*"), host == "*" || host.hasPrefix("*.") || !host.hasPrefix("*") else {
                return leaveOut(prefix, "in a host, * stands for all of it, or for what is in front of its first dot")
            }
            // In imgproxy, * ends at a slash alone: it stands for a port, too.
            let port = words.count > 1 ? ":\(words[1])" : host == "*" ? ":*" : ""
            permitted.append("\(scheme)://\(host)\(port)\(place.count > 1 ? "/\(path)" : "")")
        }
    }

    private mutating func addBucket(_ name: String, _ path: String, _ prefix: String) {
        guard usesBuckets else { return leaveOut(prefix, "IMGPROXY_USE_S3 is not true") }
        guard !name.isEmpty, name != "*" else { return permitBuckets() }
        guard !name.contains("*") else { return leaveOut(prefix, "it has * in the name of a bucket") }
        guard buckets.isEmpty || buckets.contains(name) else {
            return leaveOut(prefix, "IMGPROXY_S3_ALLOWED_BUCKETS does not have the bucket")
        }
        permitted.append("s3://\(name)\(path.isEmpty ? "" : "/\(path)")")
    }

    private mutating func permitBuckets() {
        permitted += buckets.isEmpty ? ["s3://*"] : buckets.map { "s3://\($0)" }
    }

    private mutating func leaveOut(_ prefix: String, _ reason: String) {
        leftOut.append("\(prefix) is left out: \(reason)")
    }
}
