import CalotypeBase
import CalotypeHTTP
import CalotypeServer
import CalotypeTransport
import CalotypeURLs

extension SourceOptions {
    /// The flags of sources, in the order of the help.
    static let flags: [Option] = [
        .root, .allowSource, .denySource, .allowAddress, .bucket, .sourceHeader, .userAgent, .maxRedirects,
        .sourceTimeout,
        .sourceLifetime, .freshness, .maxSourceSize, .fallback,
    ]

    mutating func read(_ arguments: Arguments) throws(UsageError) {
        addresses = try Self.addresses(arguments)
        allowed = try Self.allowed(arguments, addresses)
        allowed.fallback = try arguments.image(.fallback).map { GivenImage($0) }
        fields = try Self.fields(arguments)
        userAgent = try arguments.value(.userAgent, wanted: "a text without control characters") { text in
            !text.isEmpty && ByteString(text).isFieldContent ? ByteString(text) : nil
        }
        redirectLimit = try arguments.integer(.maxRedirects, in: 0...100) ?? redirectLimit
        deadline = try arguments.seconds(.sourceTimeout, in: 1...600) ?? deadline
        localLifetime = try arguments.integer(.sourceLifetime, in: 0...31_536_000)
        defaultLifetime = localLifetime.map(Double.init) ?? defaultLifetime
        obeysFreshness = try arguments.choice(.freshness, [("obey", true), ("ignore", false)]) ?? true
        maxBytes =
            try arguments.value(.maxSourceSize, wanted: "a size such as 20MB") { text in
                QuantityParser.bytes(text).flatMap { $0 > 0 ? $0 : nil }
            } ?? maxBytes
    }

    private static func addresses(_ arguments: Arguments) throws(UsageError) -> AddressRules {
        var rules = AddressRules.internet
        for given in arguments.allGiven(.allowAddress) {
            guard let block = AddressBlock(given.text) else {
                throw arguments.error(
                    given, of: .allowAddress,
                    "expected an address, or a block whose other bits are 0, such as 10.0.0.0/8")
            }
            rules.exceptions.append(block)
        }
        return rules
    }

    private static func allowed(_ arguments: Arguments, _ rules: AddressRules) throws(UsageError) -> AllowedSources {
        var allowed = AllowedSources()
        for given in arguments.allGiven(.bucket) {
            do throws(RenditionError) { try allowed.objects.add(given.bytes) } catch {
                throw arguments.error(given, of: .bucket, error.message)
            }
        }
        for given in arguments.allGiven(.allowSource) {
            do throws(RenditionError) { try allowed.allow(given.bytes) } catch {
                throw arguments.error(given, of: .allowSource, error.message)
            }
        }
        for given in arguments.allGiven(.denySource) {
            do throws(RenditionError) { try allowed.objects.refuse(given.bytes) } catch {
                throw arguments.error(given, of: .denySource, error.message)
            }
        }
        if let (host, address) = allowed.refusedHost(rules) {
            throw arguments.error(
                "--allow-source: \(host) has the address \(address), which is none of the internet: "
                    + "add --allow-address \(address)")
        }
        return allowed
    }

    private static func fields(
        _ arguments: Arguments
    ) throws(UsageError) -> [(prefix: URLPrefix, fields: HTTPFields)] {
        var rules: [(prefix: URLPrefix, fields: HTTPFields)] = []
        for given in arguments.allGiven(.sourceHeader) {
            let words = given.text.split(separator: " ", maxSplits: 1).map(String.init)
            guard words.count == 2 else {
                throw arguments.error(given, of: .sourceHeader, "the field is missing: expected NAME: VALUE")
            }
            guard let prefix = try? URLPrefix(words[0]) else {
                throw arguments.error(given, of: .sourceHeader, "the first word is not the beginning of a URL")
            }
            guard !words[0].contains("*") else {
                throw arguments.error(given, of: .sourceHeader, "the URL names one host, without *")
            }
            // The error does not repeat the value, which is a secret.
            guard let field = QuantityParser.headerField(words[1]), !isReserved(CaselessString(field.name)) else {
                throw arguments.error(
                    given, of: .sourceHeader,
                    "behind \(words[0]) is not a header field such as 'Authorization: Bearer TOKEN', or one that the "
                        + "server sets itself")
            }
            rules.append((prefix, [CaselessString(field.name): ByteString(field.value)]))
        }
        return rules
    }

    /// Returns `true` for the fields that the transport or the HTTP cache of source images sets itself.
    private static func isReserved(_ name: CaselessString) -> Bool {
        [
            "Host", "Connection", "Content-Length", "Transfer-Encoding", "TE", "Upgrade", "Expect", "Accept-Encoding",
            "CDN-Loop", "Range", "If-Range", "If-None-Match", "If-Modified-Since", "If-Match", "If-Unmodified-Since",
        ].contains(name)
    }
}

extension Option {
    static let root = Option(
        "root", "r", "DIR", offers: .directories, takesBytes: true,
        help:
            "The folder of local:///. No file outside of it is read. Needed unless --allow-source permits URLs, or for --post."
    )
    static let allowSource = Option(
        "allow-source", nil, "URL", isReloaded: true,
        help: "Load sources that begin with this scheme, host, port and path, such as https://*.example.com/photos; "
            + "the host * stands for all, and so does the port *. s3://BUCKET/PATH permits objects, s3://* those of all buckets; local:///PATH "
            + "restricts files to a folder below --root. May be given several times.")
    static let denySource = Option(
        "deny-source", nil, "s3://BUCKET", isReloaded: true,
        help: "Refuse the objects of this bucket, whatever --allow-source permits. May be given several times.")
    static let allowAddress = Option(
        "allow-address", nil, "CIDR", isReloaded: true,
        help: "Connect to addresses such as 10.0.0.0/8, besides those of the internet. May be given several times.")
    static let bucket = Option(
        "s3", nil, "'BUCKET NAME=VALUE…'", isReloaded: true,
        help: "The place of a bucket of --allow-source s3://BUCKET: endpoint=URL, region=NAME, profile=NAME, "
            + "style=host or path. Without it, the bucket is one of AWS. The bucket * is each that is not described by its "
            + "name. May be given several times.")
    static let sourceHeader = Option(
        "source-header", nil, "PREFIX 'NAME: VALUE'", words: 2, isReloaded: true,
        help: "Send this header field with requests for sources that begin with this URL. May be given several times.")
    static let userAgent = Option(
        "user-agent", nil, "TEXT", help: "Send this User-Agent to the servers of sources. The default is Calotype.")
    static let maxRedirects = Option(
        "max-redirects", nil, "N", help: "Follow at most N redirects in a row. The default is 5.")
    static let sourceTimeout = Option(
        "source-timeout", nil, "SECONDS",
        help: "The time to load a source, redirects and repetitions included. The default is 10.")
    static let sourceLifetime = Option(
        "ttl", nil, "SECONDS",
        help: "The lifetime of a source whose server states none, 3600 by default, and of local files, 60 by default.")
    static let freshness = Option(
        "freshness", nil, "POLICY", offers: .words(["obey", "ignore"]),
        help: "obey (default) or ignore what origins state; then each source is fresh for --ttl.")
    static let fallback = Option(
        "fallback", nil, "FILE", offers: .files, takesBytes: true, isReloaded: true,
        help:
            "The image for a source that fails, unless a URL has fallback_image_url; or a URL data:image/png;base64,….")
    static let maxSourceSize = Option(
        "max-source-size", nil, "SIZE", help: "Refuse sources of more bytes. The default is 50MB.")
}
