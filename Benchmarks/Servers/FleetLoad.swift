import CalotypeBase
import Foundation

/// Clients that request thumbnails in turn until they are ended.
final class FleetLoad: Sendable {
    private struct State {
        var next = 0
        var answered = 0
        var errors = 0
        var isEnding = false
    }

    private let state: Locked<State>
    private let count: Int
    private let clients: [Task<Void, Never>]

    /// Starts the clients.
    init(_ urls: [String], clients: Int = 12) {
        let state = Locked(State())
        let client = ThumbnailClient(connections: clients)
        self.state = state
        count = urls.count
        self.clients = (0..<clients).map { _ in
            Task {
                while let number = Self.take(state) {
                    let answer = try? await client.answer(urls[number % urls.count])
                    state.withLock { state in
                        state.answered += 1
                        if answer?.status != 200 || answer?.body.isEmpty != false { state.errors += 1 }
                    }
                }
            }
        }
    }

    private static func take(_ state: Locked<State>) -> Int? {
        state.withLock { state in
            guard !state.isEnding else { return nil }
            defer { state.next += 1 }
            return state.next
        }
    }

    /// Waits until each thumbnail has been requested, and answered, once more.
    func pass() async throws {
        let end = state.withLock { $0.next } + count
        // Rarely enough to take no processor from the nodes.
        while state.withLock({ $0.answered }) < end { try await Task.sleep(for: .milliseconds(20)) }
    }

    /// Ends the clients, and returns the number of answers without a thumbnail.
    func end() async -> Int {
        state.withLock { $0.isEnding = true }
        for client in clients { await client.value }
        return state.withLock { $0.errors }
    }
}
