import CalotypeBase
import CalotypeHTTP

/// Deletes the pages of purged sources from the far store, behind the purges, which cover the pages until then by their
/// times.
struct FarRemovals: Sendable {
    /// The sources whose pages wait for their removal. Those of further ones stay, covered by their purges, until the
    /// store's rule for old objects deletes them.
    static let queueLimit = 1000

    private let store: FarStore
    private let report: @Sendable (String) -> Void
    /// Removals leave the store's connections to lookups.
    private let slots = Limiter(limit: 4, queueLimit: queueLimit)

    /// - Parameter report: Called with a line for each removal that failed.
    init(_ store: FarStore, report: @escaping @Sendable (String) -> Void) {
        (self.store, self.report) = (store, report)
    }

    /// The numbers of removals in progress and in the queue.
    var load: (inside: Int, waiting: Int) { slots.load }

    func remove(pagesOf source: ByteString) {
        Task.detached { [self] in
            do throws(Interruption) { try await slots.enter() } catch {
                return report("too many purges: the pages of some purged sources stay in the far store")
            }
            defer { slots.leave() }
            do throws(TransportError) { try await store.remove(source: source) } catch {
                report("the pages of a purged source could not be deleted from the far store: \(error)")
            }
        }
    }
}
