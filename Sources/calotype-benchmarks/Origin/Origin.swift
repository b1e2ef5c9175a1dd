import CalotypeHTTP
import CalotypeListener
import CalotypeTesting
import Foundation

/// What an origin serves, at any path.
enum OriginKind: String {
    /// 20 KB.
    case small
    /// A JPEG of 12 megapixels.
    case photo

    static let smallSize = 20_480

    var body: Data {
        switch self {
        case .small: Data((0..<OriginKind.smallSize).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        case .photo: Photographs.large
        }
    }
}

/// The server that the child process is. It answers on the listener's own threads, faster than any client here asks.
enum Origin {
    /// Prints its URL, and returns when standard input ends: with the parent, however that ends.
    static func serve(_ kind: OriginKind) throws {
        let response = ListenerResponse(
            fields: ["Content-Type": "image/jpeg", "Cache-Control": "max-age=3600"], body: kind.body)
        let listener = try Listener(answer: { _ in .now(response) })
        FileHandle.standardOutput.write(Data("\(listener.url.absoluteString)\n".utf8))
        _ = try FileHandle.standardInput.readToEnd()
        listener.stop()
    }
}
