import CalotypeBase
import CalotypeCodecs
import CalotypeHTTP
import CalotypeListener
import CalotypeServer
import CalotypeTransport
import CalotypeURLs
import Foundation

extension RenditionServer.Options {
    mutating func read(_ arguments: Arguments) throws(UsageError) {
        listener = try Self.listener(arguments)
        scriptOrigin = try Self.scriptOrigin(arguments)
        store = try arguments.storeFolder()
        storeSize = try arguments.storeSize() ?? storeSize
        try readSources(arguments)
        far = try arguments.far()
        grammar = try arguments.grammar()
        try readSourceLimits(arguments)
        watermark = try Self.watermark(arguments)
        negotiated = try Self.negotiated(arguments) ?? negotiated
        avifSpeed = try arguments.integer(.avifSpeed, in: 0...10) ?? avifSpeed
        maxAnimationPixels = try Self.animationPixels(arguments) ?? maxAnimationPixels
        try readMemory(arguments)
    }

    private mutating func readSources(_ arguments: Arguments) throws(UsageError) {
        addresses = try Self.addresses(arguments)
        allowed = try Self.allowed(arguments, addresses)
        sourceFields = try Self.sourceFields(arguments)
        localLifetime = try arguments.integer(.sourceLifetime, in: 0...31_536_000)
        defaultLifetime = localLifetime.map(Double.init) ?? defaultLifetime
        obeysFreshness = try arguments.choice(.freshness, [("obey", true), ("ignore", false)]) ?? true
    }

    private static func listener(_ arguments: Arguments) throws(UsageError) -> Listener.Options {
        let address = try arguments.address(.listen) ?? ListenAddress(host: "127.0.0.1", port: 8080)
        return Listener.Options(
            host: address.host, port: address.port, threads: min(ProcessInfo.processInfo.activeProcessorCount, 8))
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

    private static func sourceFields(
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

    private static func scriptOrigin(_ arguments: Arguments) throws(UsageError) -> ByteString? {
        try arguments.value(.cors, wanted: "\"*\" or an origin such as https://example.com") { text in
            if text == "*" { return "*" }
            guard let url = URL(text: ByteString(text)), (try? HTTPOrigin(url)) != nil, url.user == nil,
                url.path.isEmpty,
                url.query == nil, url.fragment == nil
            else { return nil }
            return ByteString(text)
        }
    }

    private static func negotiated(_ arguments: Arguments) throws(UsageError) -> AcceptedFormats? {
        try arguments.value(.negotiate, wanted: "avif, webp, both with a comma, or none") {
            AcceptedFormats(list: ByteString($0))
        }
    }

    private static func animationPixels(_ arguments: Arguments) throws(UsageError) -> Int? {
        try arguments.value(.maxAnimation, wanted: "megapixels from 0 to 100000, such as 50") { text in
            Double(text).flatMap { (0...100_000).contains($0) ? Int($0 * 1_000_000) : nil }
        }
    }

    private static func watermark(_ arguments: Arguments) throws(UsageError) -> Bitmap? {
        guard let file = try arguments.contents(.watermark) else { return nil }
        do throws(CodecError) { return try DecoderRegistry.standard.decode(file) } catch {
            throw arguments.error(.watermark, error.message)
        }
    }
}

extension Arguments {
    /// Returns the bytes of the file that an option names; `nil` if the option was not given.
    func contents(_ option: Option) throws(UsageError) -> Data? {
        guard let path = path(option) else { return nil }
        guard let data = try? InputFile.read(path, limit: .max) else {
            throw error(option, "there is no such file, or it cannot be read")
        }
        return data
    }
}

extension Option {
    static let root = Option(
        "root", "r", "DIR", offers: .directories, takesBytes: true,
        help: "The folder of local:///. No file outside of it is read. Needed unless --allow-source permits URLs.")
    static let insecure = Option("insecure", help: "Start without a key: any signature is accepted.")
    static let allowAnyHost = Option(
        "allow-remote",
        help: "Permit --insecure together with --allow-source https://* or https://*.com, for sources of any host, or "
            + "with a --listen that other machines can reach. Permit such an --admin.")
    static let allowSource = Option(
        "allow-source", nil, "URL",
        help: "Load sources that begin with this scheme, host, port and path, such as https://*.example.com/photos; "
            + "the host * stands for all. s3://BUCKET/PATH permits objects. May be given several times.")
    static let bucket = Option(
        "s3", nil, "'BUCKET NAME=VALUE…'",
        help: "The place of a bucket of --allow-source s3://BUCKET: endpoint=URL, region=NAME, profile=NAME, "
            + "style=host or path. Without it, the bucket is one of AWS. May be given several times.")
    static let allowAddress = Option(
        "allow-address", nil, "CIDR",
        help: "Connect to addresses such as 10.0.0.0/8, besides those of the internet. May be given several times.")
    static let sourceHeader = Option(
        "source-header", nil, "PREFIX 'NAME: VALUE'", words: 2,
        help: "Send this header field with requests for sources that begin with this URL. May be given several times.")
    static let sourceLifetime = Option(
        "ttl", nil, "SECONDS",
        help: "The lifetime of a source whose server states none, 3600 by default, and of local files, 60 by default.")
    static let freshness = Option(
        "freshness", nil, "POLICY", offers: .words(["obey", "ignore"]),
        help: "obey (default) or ignore what origins state; then each source is fresh for --ttl.")
    static let cors = Option(
        "cors", nil, "ORIGIN",
        help: "Let scripts of this origin, such as https://example.com, or of all (*) read answers.")
    static let presets = Option(
        "presets", nil, "FILE", offers: .files, takesBytes: true,
        help: "Presets in imgproxy's syntax, one per line: name=option:argument/...")
    static let presetsOnly = Option("presets-only", help: "URLs name presets and no options.")
    static let ignoreUnsupported = Option(
        "ignore-unsupported", help: "Leave out options that are not supported, instead of refusing the URL.")
    static let watermark = Option(
        "watermark", nil, "FILE", offers: .files, takesBytes: true, help: "The image of the option watermark.")
    static let negotiate = Option(
        "negotiate", nil, "FORMATS", offers: .words(["avif,webp", "avif", "webp", "none"]),
        help: "If a URL names no format, send avif,webp (the default), one of them, or none to clients that accept it.")
    static let maxAnimation = Option(
        "max-animation", nil, "MP",
        help: "Show the first frame of animations that have more megapixels in all frames together. The default is 50.")
    static let noIsolate = Option(
        "no-isolate", help: "Decode the usual formats in this process: it starts faster, but a bug in a codec ends it.")
    static let problems = Option(
        "verbose", "v", help: "Print a line for each option that is left out.")
    static let checkURLs = Option(
        "check", nil, "FILE", offers: .files, takesBytes: true,
        help: "Print which of the URLs in this file would fail; - is standard input.")
    static let explainURL = Option(
        "explain", nil, "URL", help: "Print what this URL asks for, and what the caches in --store have for it.")
}
