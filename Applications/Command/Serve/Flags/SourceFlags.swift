import CalotypeBase
import CalotypeHTTP
import CalotypeServer
import CalotypeTransport
import CalotypeURLs

extension SourceOptions {
    /// The flags of sources, in the order of the help.
    static let flags: [Option] = [
        .root, .allowSource, .allowAddress, .bucket, .sourceHeader, .sourceLifetime, .freshness, .maxSourceSize,
    ]

    mutating func read(_ arguments: Arguments) throws(UsageError) {
        addresses = try Self.addresses(arguments)
        allowed = try Self.allowed(arguments, addresses)
        fields = try Self.fields(arguments)
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
        help: "The folder of local:///. No file outside of it is read. Needed unless --allow-source permits URLs.")
    static let allowSource = Option(
        "allow-source", nil, "URL", isReloaded: true,
        help: "Load sources that begin with this scheme, host, port and path, such as https://*.example.com/photos; "
            + "the host * stands for all. s3://BUCKET/PATH permits objects. May be given several times.")
    static let allowAddress = Option(
        "allow-address", nil, "CIDR", isReloaded: true,
        help: "Connect to addresses such as 10.0.0.0/8, besides those of the internet. May be given several times.")
    static let bucket = Option(
        "s3", nil, "'BUCKET NAME=VALUE…'", isReloaded: true,
        help: "The place of a bucket of --allow-source s3://BUCKET: endpoint=URL, region=NAME, profile=NAME, "
            + "style=host or path. Without it, the bucket is one of AWS. May be given several times.")
    static let sourceHeader = Option(
        "source-header", nil, "PREFIX 'NAME: VALUE'", words: 2, isReloaded: true,
        help: "Send this header field with requests for sources that begin with this URL. May be given several times.")
    static let sourceLifetime = Option(
        "ttl", nil, "SECONDS",
        help: "The lifetime of a source whose server states none, 3600 by default, and of local files, 60 by default.")
    static let freshness = Option(
        "freshness", nil, "POLICY", offers: .words(["obey", "ignore"]),
        help: "obey (default) or ignore what origins state; then each source is fresh for --ttl.")
    static let maxSourceSize = Option(
        "max-source-size", nil, "SIZE", help: "Refuse sources of more bytes. The default is 50MB.")
}
