import CalotypeBase
import CalotypeHTTP
import CalotypeListener
import CalotypeTesting
import Foundation

/// A kind of origin server. Each kind sends one response, the same for every path.
enum OriginKind: String {
    /// A body of 20 KB.
    case small
    /// A body of 20 KB in a response that is prepared once and sent by two threads.
    case prepared
    /// A body of 20 KB with an ETag, immediately stale: a client that sends the tag gets a 304.
    case validated
    /// A JPEG of 12 megapixels.
    case photo
    /// A JPEG of 8.5 MB.
    case large
    /// A body of 60 MB.
    case huge
    /// The body of `large`, without a Content-Length.
    case chunked

    static let smallSize = 20_480

    var body: Data {
        switch self {
        case .huge: Data(count: 60_000_000)
        case .small, .prepared, .validated: Data((0..<OriginKind.smallSize).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        case .photo: Photographs.large
        case .large, .chunked: Photographs.heavy
        }
    }
}

/// The server in the child process. The listener's threads answer faster than any measured client sends requests.
enum Origin {
    /// Prints its URL, and returns when standard input ends, as it does when the parent process ends for any reason.
    static func serve(_ kind: OriginKind) throws {
        let options = Listener.Options(threads: kind == .prepared ? 2 : 1)
        let listener = try Listener(options: options, answer: answer(kind))
        FileHandle.standardOutput.write(Data("\(listener.url.absoluteString)\n".utf8))
        _ = try FileHandle.standardInput.readToEnd()
        listener.stop()
    }

    private static func answer(_ kind: OriginKind) -> @Sendable (ListenerRequest) -> ListenerAnswer {
        if kind == .chunked { return chunks(of: kind.body) }
        var whole = ListenerResponse(fields: ["Content-Type": "image/jpeg"], body: kind.body)
        guard kind == .validated else {
            whole.fields["Cache-Control"] = "max-age=3600"
            if kind == .prepared { return { [prepared = PreparedResponse(whole)] _ in .now(prepared) } }
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

    /// Returns a function that answers with a stream, which the listener sends in chunks because its length is unknown.
    private static func chunks(of body: Data) -> @Sendable (ListenerRequest) -> ListenerAnswer {
        { _ in
            .now(
                ListenerResponse(
                    fields: ["Content-Type": "image/jpeg", "Cache-Control": "max-age=3600"],
                    stream: HTTPBody(Slices(body))))
        }
    }

    private static let tag: ByteString = "\"20480-abcdef\""
}

/// A body in pieces of 64 KiB.
private final class Slices: HTTPBodySource {
    private let rest: Locked<Data>

    init(_ body: Data) { rest = Locked(body) }

    func next() async throws(TransportError) -> Data? {
        rest.withLock { rest in
            guard !rest.isEmpty else { return nil }
            defer { rest = rest.dropFirst(64 << 10) }
            return Data(rest.prefix(64 << 10))
        }
    }
}
