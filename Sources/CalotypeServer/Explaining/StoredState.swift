import CalotypeBase
import CalotypeHTTP

/// The state of the response that a cache has stored for a request.
enum StoredState: Hashable, Sendable, CustomStringConvertible {
    /// No response is stored, or none that may be used.
    case absent
    /// Fresh for this many more seconds.
    case fresh(Int)
    /// Stale for this many seconds. `isUsable`: whether the response may be used while the cache revalidates it in the
    /// background. If `false`, it may be used only afterwards.
    case stale(Int, isUsable: Bool)
    /// Stored, but revalidated at each use.
    case unconfirmed

    /// What `--explain` adds to the state of a stored result that was drawn from a bitmap for several sizes.
    static func making(tag: ByteString?) -> String {
        tag.flatMap { DecodeRoute(inTag: $0) }.map { ", made together with other sizes from \($0.size) pixels" } ?? ""
    }

    init(_ outcome: CacheOutcome?, now: Double) {
        guard let outcome, let end = outcome.freshUntil else {
            self = outcome == nil ? .absent : .unconfirmed
            return
        }
        let usableUntil = outcome.usableWhileRevalidatingUntil ?? end
        self =
            end > now
            ? .fresh(Int(saturating: end - now)) : .stale(Int(saturating: now - end), isUsable: usableUntil > now)
    }

    var description: String {
        switch self {
        case .absent: "absent"
        case .fresh(let seconds): "fresh for \(seconds) s"
        case .stale(let seconds, _): "stale for \(seconds) s"
        case .unconfirmed: "stored, and confirmed at each use"
        }
    }
}

/// The state of a rendition and its source before a request, from which the work of that request follows.
struct RenditionState: Hashable, Sendable {
    let result: StoredState
    let source: SourceState

    enum SourceState: Hashable, Sendable {
        case web(StoredState)
        /// A file below the root, with its size in bytes.
        case file(Int)
        case noFile
        /// The source is a local file, but its state is unknown, because no root is given or the root cannot be opened.
        case unknown
    }

    /// The work that a request would cause.
    var work: String {
        switch (result, source) {
        case (.fresh, _): "the stored result is sent"
        case (.stale(_, isUsable: true), .noFile):
            "the stored result is sent at once; in the background, the file is not found, so that later answers are 404"
        case (.stale(_, isUsable: true), _): "the stored result is sent at once; in the background, \(confirmation)"
        case (_, .noFile): "the file is not found, so that the answer is 404"
        case (.stale, _), (.unconfirmed, _): confirmation
        case (.absent, _): "\(sourceWork), an image is decoded and encoded"
        }
    }

    private var confirmation: String {
        "\(sourceWork); if it has not changed, the stored result stays, otherwise an image is decoded and encoded"
    }

    private var sourceWork: String {
        switch source {
        case .web(.fresh): "the stored source is used"
        case .web(.stale), .web(.unconfirmed): "the origin is asked whether the source has changed"
        case .web(.absent): "the source is loaded"
        case .file, .unknown, .noFile: "the file is looked up, and read if it is new"
        }
    }
}

extension RenditionState.SourceState: CustomStringConvertible {
    var description: String {
        switch self {
        case .web(let state): state.description
        case .file(let bytes): "a file of \(bytes) bytes"
        case .noFile: "no such file"
        case .unknown: "unknown without --root"
        }
    }
}
