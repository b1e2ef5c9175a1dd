import CalotypeBase
import CalotypeURLs
import Foundation

/// A rendition to ask a server for.
struct WarmTarget: Sendable {
    /// The server's scheme, host and port.
    let origin: URL
    /// The target of the request line, byte for byte.
    let target: ByteString

    /// - Parameter server: The server of paths; `nil` if there may be none.
    /// - Returns: `nil` for a line that is neither a URL of HTTP with a path nor a path for `server`.
    init?(_ line: ByteString, _ server: URL?) {
        if line.hasPrefix("/"), let server {
            (origin, target) = (server, line)
            return
        }
        let parts = line.split(separator: UInt8(ascii: "/"), maxSplits: 3)
        guard parts.count == 4, parts[1].isEmpty,
            let origin = Self.origin("\(parts[0].displayed)//\(parts[2].displayed)")
        else { return nil }
        self.origin = origin
        target = "/\(parts[3])"
    }

    /// Returns the URL of a server without a path, or `nil` for another text.
    static func origin(_ text: String) -> URL? {
        guard let url = URL(string: text), ["http", "https"].contains(url.scheme?.lowercased() ?? ""),
            url.host()?.isEmpty == false, ["", "/"].contains(url.path()), url.query() == nil
        else { return nil }
        return url
    }

    /// The URL without user and password, for messages.
    var label: String {
        Address.label(of: ByteString("\(origin.absoluteString)\(target.hasPrefix("/") ? "" : "/")\(target)"))
    }

    /// A text that URLs of one source have in common: the source or, where the path is not understood, its last part.
    fileprivate var source: ByteString {
        var grammar = RenditionGrammar()
        (grammar.ignoresUnsupported, grammar.takesUnknownPresets, grammar.permitsPlaces) = (true, true, true)
        if let path = try? SignedPath(target: target), let known = try? grammar.request(for: path.path) {
            return known.request.source
        }
        let last = target.split(separator: UInt8(ascii: "/")).last ?? ""
        return last.split(separator: UInt8(ascii: ".")).first ?? last
    }
}

extension [WarmTarget] {
    /// The same targets, those of one source one after the other, the sources in the order of the list.
    var groupedBySource: [WarmTarget] {
        var places: [SourceKey: Int] = [:], groups: [[WarmTarget]] = []
        for target in self {
            let source = SourceKey(origin: target.origin, source: target.source)
            if let place = places[source] {
                groups[place].append(target)
            } else {
                places[source] = groups.count
                groups.append([target])
            }
        }
        return groups.flatMap { $0 }
    }
}

/// A source on one server.
private struct SourceKey: Hashable {
    let origin: URL
    let source: ByteString
}
