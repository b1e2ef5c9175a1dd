import CalotypeBase
import CalotypeURLs

/// The rendition of a client's request, with its key in the cache of results. Equal keys make equal files.
final class TargetedRendition: Hashable, Sendable {
    let rendition: RenditionRequest
    let key: ByteString
    /// The host of the source, or `nil` for a local source.
    let sourceHost: ByteString?
    /// The sources that were permitted when the request arrived.
    let allowed: AllowedSources
    private let logText = Locked<LoggedURL?>(nil)

    /// - Parameters:
    ///   - mark: The digest of the server's watermark.
    ///   - allowed: The sources on the web that the server loads. By default it loads files alone.
    init(_ rendition: RenditionRequest, mark: ByteString? = nil, allowed: AllowedSources = AllowedSources()) {
        self.rendition = rendition
        self.allowed = allowed
        let object = try? allowed.objects.object(of: rendition.source)
        sourceHost = object?.bucket.host ?? (try? SourceURL(rendition.source))?.host
        key = rendition.resultKey(mark: mark)
    }

    /// The URL for the log. Written once for all requests.
    var logged: LoggedURL {
        if let known = logText.withLock({ $0 }) { return known }
        let logged = LoggedURL(rendition)
        logText.withLock { $0 = logged }
        return logged
    }

    static func == (one: TargetedRendition, other: TargetedRendition) -> Bool { one.key == other.key }

    func hash(into hasher: inout Hasher) { hasher.combine(key) }
}

/// The renditions of targets that have been verified and parsed, so that the server need not repeat this for each
/// request to a popular URL. Has the rules under which they were verified, too: both change under one lock, so that no
/// target is known under other rules.
final class KnownTargets: Sendable {
    /// A target and the values of Accept, which together determine the rendition.
    struct Name: Hashable {
        let target: ByteString
        let accept: [ByteString]

        fileprivate var isShort: Bool { accept.reduce(target.count) { $0 + $1.count } <= 1024 }
    }

    private static let limit = 4096

    private struct State {
        var rules: ServingRules
        var known: [Name: TargetedRendition] = [:]
    }

    private let state: Locked<State>

    init(_ rules: ServingRules) { state = Locked(State(rules: rules)) }

    /// The rules for targets that are not known.
    var rules: ServingRules { state.withLock { $0.rules } }

    subscript(_ name: Name) -> TargetedRendition? { state.withLock { $0.known[name] } }

    /// - Parameters:
    ///   - rendition: The rendition of a target whose signature is valid.
    ///   - rules: The rules under which it is valid. If others have replaced them, the target is not remembered.
    func insert(_ rendition: TargetedRendition, for name: Name, under rules: ServingRules) {
        guard name.isShort else { return }
        // Returned, so that thousands of targets are released without the lock.
        _ = state.withLock { state -> [Name: TargetedRendition] in
            guard state.rules === rules else { return [:] }
            var removed: [Name: TargetedRendition] = [:]
            // Removes all entries, because the order of use is not tracked: targets still in use are parsed again.
            if state.known.count >= Self.limit { swap(&removed, &state.known) }
            state.known[name] = rendition
            return removed
        }
    }

    /// Replaces the rules, and removes all targets.
    func replaceRules(by rules: ServingRules) {
        // Returned, so that thousands of targets are released without the lock.
        _ = state.withLock { state in
            defer { state = State(rules: rules) }
            return state
        }
    }
}
