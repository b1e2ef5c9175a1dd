import CalotypeTesting
import TestSupport
import Requirements
import ResourceProvider
import Testing

struct RememberingFailuresTests {
    private let clock = ManualClock()
    private let asked = Log<Int>()

    private var source: AnyAsyncProvider<Int, Int, LoadError> {
        let asked = asked
        return AnyAsyncProvider { (id) async throws(LoadError) in
            asked.add(id)
            if id < 0 { throw id == -1 ? .cancelled : .refused(id) }
            return id
        }
    }

    private func failure(
        _ provider: some AsyncProvider<Int, Int, LoadError>, _ id: Int
    ) async -> LoadError? {
        do throws(LoadError) {
            _ = try await provider.value(for: id)
            return nil
        } catch {
            return error
        }
    }

    @Test(.requirement("D3.13")) func `a failure is repeated without asking until its time is over`() async {
        let provider = source.rememberingFailures(for: .seconds(60), clock: clock) { $0 != .cancelled }
        #expect(await failure(provider, -2) == .refused(-2))
        clock.advance(by: .seconds(59))
        #expect(await failure(provider, -2) == .refused(-2))
        #expect(asked.entries == [-2])
        clock.advance(by: .seconds(1))
        #expect(await failure(provider, -2) == .refused(-2))
        #expect(asked.entries == [-2, -2])
    }

    @Test(.requirement("D3.13")) func `what should not last is not remembered, and neither is success`() async {
        let provider = source.rememberingFailures(for: .seconds(60), clock: clock) { $0 != .cancelled }
        for _ in 0..<2 {
            #expect(await failure(provider, -1) == .cancelled)
            #expect(await failure(provider, 1) == nil)
        }
        #expect(asked.entries == [-1, 1, -1, 1])
    }

    @Test(.requirement("D3.13")) func `no more failures are remembered than told; the oldest goes first`() async {
        let provider = source.rememberingFailures(for: .seconds(60), limit: 2, clock: clock) { _ in true }
        for id in [-2, -3, -4, -3, -4, -2] { _ = await failure(provider, id) }
        #expect(asked.entries == [-2, -3, -4, -2])
    }
}
