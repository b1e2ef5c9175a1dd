import CalotypeBase
import CalotypeHTTP
import CalotypeListener
import CalotypeServer
import CalotypeURLs
import Foundation

extension ServingOptions {
    /// The flags of serving, in the order of the help. `GrammarFlags.swift` and `SigningFlags.swift` have those of URLs.
    static let flags: [Option] = [.listen, .cors, .negotiate]

    mutating func read(_ arguments: Arguments) throws(UsageError) {
        let address = try arguments.address(.listen) ?? ListenAddress(host: "127.0.0.1", port: 8080)
        listener = Listener.Options(
            host: address.host, port: address.port, threads: min(ProcessInfo.processInfo.activeProcessorCount, 8))
        scriptOrigin = try Self.scriptOrigin(arguments)
        negotiated = try Self.negotiated(arguments) ?? negotiated
        grammar = try arguments.grammar()
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
}

extension Option {
    static let cors = Option(
        "cors", nil, "ORIGIN",
        help: "Let scripts of this origin, such as https://example.com, or of all (*) read answers.")
    static let negotiate = Option(
        "negotiate", nil, "FORMATS", offers: .words(["avif,webp", "avif", "webp", "none"]),
        help: "If a URL names no format, send avif,webp (the default), one of them, or none to clients that accept it.")
}
