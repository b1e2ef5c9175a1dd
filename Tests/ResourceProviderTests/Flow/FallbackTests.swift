import CalotypeTesting
import Requirements
import ResourceProvider
import Testing

struct FallbackTests {
    private let failing = AnyAsyncProvider<Int, String, LoadError> { (id) async throws(LoadError) in
        if id > 0 { return "first" }
        throw id == 0 ? .broken : .refused(id)
    }
    private let other = AnyAsyncProvider<Int, String, LoadError> { (id) async throws(LoadError) in
        if id < -9 { throw .refused(-100) }
        return "other"
    }

    @Test(.requirement("B57")) func `the other is asked after a failure and not after a success`() async throws {
        let provider = failing.fallback(to: other)
        #expect(try await provider.value(for: 1) == "first")
        #expect(try await provider.value(for: 0) == "other")
        #expect(await failure { () async throws(LoadError) in try await provider.value(for: -10) } == .refused(-100))
    }

    @Test(.requirement("B58")) func `only after the failures told`() async throws {
        let provider = failing.fallback(to: other) { $0 == .broken }
        #expect(try await provider.value(for: 0) == "other")
        #expect(await failure { () async throws(LoadError) in try await provider.value(for: -1) } == .refused(-1))
    }

    @Test func `an other that cannot fail makes a provider that cannot fail`() async {
        let provider = failing.fallback(to: Provider.source { (_: Int) async in "placeholder" })
        #expect(failureType(provider) == Never.self)
        #expect(await provider.value(for: 0) == "placeholder")
    }

    @Test func `a cancelled caller does not start the other`() async {
        let provider = failing.fallback(to: other)
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await provider.value(for: 0)
        }
        await #expect(throws: LoadError.broken) { try await task.value }
    }
}
