import CalotypeBase
import CalotypeHTTP

/// The parsed URL of a source.
enum RenditionSource: Hashable, Sendable {
    /// A path below the root.
    case local(ByteString)

    /// - Throws: 400 for a path that leads out of the root or is no path, 403 for a scheme that the server does not load.
    init(_ url: ByteString) throws(RenditionError) {
        let parts = url.split(separator: UInt8(ascii: ":"), maxSplits: 1)
        guard parts.count == 2, CaselessString(parts[0]) == "local" else {
            throw RenditionError(403, "the server loads no \(parts.count == 2 ? parts[0].quoted : "relative") sources")
        }
        guard parts[1].hasPrefix("///"), !parts[1].contains(UInt8(ascii: "?")), !parts[1].contains(UInt8(ascii: "#")),
            let path = parts[1].dropFirst(3).percentDecoded
        else { throw .malformed("a local source is local:///path, with \"%\", \"?\" and \"#\" percent-encoded") }
        let components = path.split(separator: UInt8(ascii: "/"))
        guard !components.contains(where: { $0.isEmpty || $0 == "." || $0 == ".." }), !path.contains(0) else {
            throw .malformed("the path of a local source contains an empty part, \".\", \"..\" or NUL")
        }
        self = .local(path)
    }
}
