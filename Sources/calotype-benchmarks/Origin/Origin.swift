import CalotypeHTTP
import CalotypeListener
import CalotypeTesting
import Foundation

/// What an origin serves, at any path.
enum OriginKind: String {
    /// 20 KB.
    case small
    /// 20 KB with an ETag, stale at once: 304 to whoever has it.
    case validated
    /// A JPEG of 12 megapixels.
    case photo

    static let smallSize = 20_480

    var body: Data {
        switch self {
        case .small, .validated: Data((0..<OriginKind.smallSize).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        case .photo: Photographs.large
        }
    }
}

/// The server that the child process is. It answers on the listener's own threads, faster than any client here asks.
enum Origin {
    /// Prints its URL, and returns when standard input ends: with the parent, however that ends.
    static func serve(_ kind: OriginKind) throws {
        let listener = try Listener(answer: answer(kind))
        FileHandle.standardOutput.write(Data("\(listener.url.absoluteString)\n".utf8))
        _ = try FileHandle.standardInput.readToEnd()
        listener.stop()
    }

    private static func answer(_ kind: OriginKind) -> @Sendable (ListenerRequest) -> ListenerAnswer {
        var whole = ListenerResponse(fields: ["Content-Type": "image/jpeg"], body: kind.body)
        guard kind == .validated else {
            whole.fields["Cache-Control"] = "max-age=3600"
            return { [whole] _ in .now(whole) }
        }
        whole.fields["Cache-Control"] = "max-age=0"
        whole.fields["ETag"] = tag
        var confirmation = whole
        confirmation.status = 304
        return { [whole, confirmation] request in
            .now(request.fields["If-None-Match"] == tag ? confirmation : whole)
        }
    }

    private static let tag: ByteString = "\"20480-abcdef\""
}
