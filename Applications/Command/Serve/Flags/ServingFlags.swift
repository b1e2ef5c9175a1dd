import CalotypeBase
import CalotypeHTTP
import CalotypeListener
import CalotypeServer
import CalotypeTransport
import CalotypeURLs
import Foundation

extension ServingOptions {
    /// The flags of serving, in the order of the help. `GrammarFlags.swift` and `SigningFlags.swift` have those of URLs.
    static let flags: [Option] =
        [
            .listen, .reusePort, .pathPrefix, .healthPath, .cors, .negotiate, .enforce, .canonical, .tags,
            .fallbackStatus, .fallbackLifetime,
            .trustProxy, .clientField, .maxClients, .requestTimeout,
            .keepAlive,
        ] + PostOptions.flags
    /// A reload takes all of them.
    static let secretFlags: [Option] = [.token, .trustedSignatures] + PostOptions.secretFlags

    mutating func read(_ arguments: Arguments) throws(UsageError) {
        let address = try arguments.address(.listen) ?? ListenAddress(host: "127.0.0.1", port: 8080)
        listener = Listener.Options(
            host: address.host, port: address.port, threads: min(ProcessInfo.processInfo.activeProcessorCount, 8))
        listener.sharesAddress = arguments.has(.reusePort)
        scriptOrigin = try Self.scriptOrigin(arguments)
        negotiated = try Self.formats(.negotiate, arguments) ?? negotiated
        enforced = try Self.formats(.enforce, arguments) ?? enforced
        namesSource = arguments.has(.canonical)
        tagField = try arguments.choice(.tags, TagField.allCases.map { (word: $0.rawValue, value: $0) })
        pathPrefix = try Self.path(.pathPrefix, arguments) ?? ""
        healthPath = try Self.path(.healthPath, arguments)
        fallback.status = try arguments.integer(.fallbackStatus, in: 200...599)
        fallback.lifetime = try arguments.integer(.fallbackLifetime, in: 0...31_536_000)
        for given in arguments.allGiven(.trustProxy) {
            for word in given.text.split(separator: ",") {
                guard let block = AddressBlock(ByteString(String(word)).trimmed.string) else {
                    throw arguments.error(
                        given, of: .trustProxy,
                        "expected addresses, or blocks whose other bits are 0, such as 10.0.0.0/8, with commas")
                }
                clients.trusted.append(block)
            }
        }
        let fields = ClientFinder.Field.allCases.map { (word: $0.rawValue, value: $0) }
        clients.field = try arguments.choice(.clientField, fields) ?? clients.field
        clientLimit = try arguments.integer(.maxClients, in: 1...1_000_000) ?? clientLimit
        listener.timeouts.head = try arguments.seconds(.requestTimeout, in: 1...600) ?? listener.timeouts.head
        listener.timeouts.idle = try arguments.seconds(.keepAlive, in: 1...3600) ?? listener.timeouts.idle
        token = try arguments.value(.token, wanted: "visible ASCII characters") { ClientToken(ByteString($0)) }
        trustedSignatures = Set(
            arguments.all(.trustedSignatures).flatMap {
                ByteString($0).split(separator: UInt8(ascii: ",")).map(\.trimmed)
            }.filter { !$0.isEmpty })
        grammar = try arguments.grammar()
        try post.read(arguments)
    }

    private static func scriptOrigin(_ arguments: Arguments) throws(UsageError) -> ByteString? {
        try arguments.value(
            .cors, wanted: "\"*\" or an origin such as https://example.com", Arguments.origin)
    }

    /// Returns a path such as "/images", without a slash at its end.
    private static func path(_ option: Option, _ arguments: Arguments) throws(UsageError) -> ByteString? {
        let path = try arguments.value(option, wanted: "a path such as /images") { text in
            let isPath = text.hasPrefix("/") && text.utf8.allSatisfy { $0.isUnreserved || $0 == UInt8(ascii: "/") }
            return isPath ? ByteString(text.hasSuffix("/") ? String(text.dropLast()) : text) : nil
        }
        return path == "" ? nil : path
    }

    private static func formats(
        _ option: Option, _ arguments: Arguments
    ) throws(UsageError) -> AcceptedFormats? {
        try arguments.value(
            option, wanted: "\(AcceptedFormats.names.joined(separator: ", ")), several with commas, or none"
        ) {
            AcceptedFormats(list: ByteString($0))
        }
    }
}

extension Arguments {
    /// Returns "*", or the origin that a text is; otherwise `nil`.
    static func origin(_ text: String) -> ByteString? {
        if text == "*" { return "*" }
        guard let url = URL(text: ByteString(text)), (try? HTTPOrigin(url)) != nil, url.user == nil, url.path.isEmpty,
            url.query == nil, url.fragment == nil
        else { return nil }
        return ByteString(text)
    }

    func seconds(_ option: Option, in range: ClosedRange<Int>) throws(UsageError) -> Duration? {
        try integer(option, in: range).map { .seconds($0) }
    }
}

extension Option {
    static let token = Option(
        "token", nil, "TEXT", isReloaded: true,
        help: "The secret that requests for thumbnails need, in Authorization: Bearer TEXT.")
    static let trustedSignatures = Option(
        "trusted-signatures", nil, "TEXTS", isReloaded: true,
        help: "Signatures that are accepted for every URL, with commas.")
    static let reusePort = Option(
        "reuse-port",
        help: "Let other servers listen at the same address: the system divides the clients (SO_REUSEPORT).")
    static let pathPrefix = Option(
        "path-prefix", nil, "PATH", help: "Expect this in front of each URL's path, such as /images.")
    static let healthPath = Option(
        "health-path", nil, "PATH", help: "Answer this path as /health, too, for a balancer's check.")
    static let canonical = Option(
        "canonical",
        help: "Name the URL of a source of the web in the answer's Link, with rel=canonical, for search engines.")
    static let tags = Option(
        "tags", nil, "FIELD", offers: .words(TagField.allCases.map(\.rawValue)),
        help: "Name the tag of the source, and those of the URL's option tag, in the answer's Cache-Tag, Surrogate-Key "
            + "or Cache-Groups, so that a cache in front can remove the answers of a source.")
    static let enforce = Option(
        "enforce", nil, "FORMATS", offers: .words(acceptable),
        help:
            "Send clients what they accept of \(AcceptedFormats.names.joined(separator: ",")), or of fewer of them, even if "
            + "the URL names jpg or png. The default is none.")
    static let fallbackStatus = Option(
        "fallback-status", nil, "STATUS",
        help: "The status of answers with a fallback image, such as 200. The default is that of the failure.")
    static let fallbackLifetime = Option(
        "fallback-ttl", nil, "SECONDS",
        help: "The lifetime of answers with a fallback image. The default is that of the failure.")
    static let trustProxy = Option(
        "trust-proxy", nil, "ADDRESSES",
        help: "Take the client's address from what proxies at these addresses, such as 10.0.0.0/8, write into "
            + "X-Forwarded-For. It counts in the queue and in the log. May be given several times.")
    static let clientField = Option(
        "client-field", nil, "FIELD", offers: .words(ClientFinder.Field.allCases.map(\.rawValue)),
        help:
            "The field in which --trust-proxy write addresses: x-forwarded-for (the default), or forwarded (RFC 7239).")
    static let maxClients = Option(
        "max-clients", nil, "N",
        help:
            "Keep at most N connections with clients. The default is 4096, or as many as memory and descriptors permit."
    )
    static let requestTimeout = Option(
        "request-timeout", nil, "SECONDS", help: "The time to receive the head of a request. The default is 20.")
    static let keepAlive = Option(
        "keep-alive", nil, "SECONDS",
        help:
            "The time for which a connection without a request stays open: more than that of the balancer. The default is 75."
    )
    static let cors = Option(
        "cors", nil, "ORIGIN",
        help: "Let scripts of this origin, such as https://example.com, or of all (*) read answers.")
    static let negotiate = Option(
        "negotiate", nil, "FORMATS", offers: .words(acceptable),
        help: "If a URL names no format or @best, send clients what they accept of "
            + "\(AcceptedFormats.names.joined(separator: ",")), of fewer of them, or of none. The default is avif,webp."
    )

    /// The last formats, each alone, and none.
    private static let acceptable: [String] = {
        let names = AcceptedFormats.names
        let lists = names.indices.dropLast().map { names[$0...].joined(separator: ",") }
        return lists + names + ["none"]
    }()
}
