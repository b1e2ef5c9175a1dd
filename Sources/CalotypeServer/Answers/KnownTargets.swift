import CalotypeBase

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
        var known: [Name: Rendition] = [:]
    }

    private let state: Locked<State>

    init(_ rules: ServingRules) { state = Locked(State(rules: rules)) }

    /// The rules for targets that are not known.
    var rules: ServingRules { state.withLock { $0.rules } }

    subscript(_ name: Name) -> Rendition? { state.withLock { $0.known[name] } }

    /// - Parameters:
    ///   - rendition: The rendition of a target whose signature is valid.
    ///   - rules: The rules under which it is valid. If others have replaced them, the target is not remembered.
    func insert(_ rendition: Rendition, for name: Name, under rules: ServingRules) {
        guard name.isShort else { return }
        // Returned, so that thousands of targets are released without the lock.
        _ = state.withLock { state -> [Name: Rendition] in
            guard state.rules === rules else { return [:] }
            var removed: [Name: Rendition] = [:]
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
