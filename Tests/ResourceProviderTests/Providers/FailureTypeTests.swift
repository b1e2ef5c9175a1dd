import CalotypeTesting
import TestSupport
import Requirements
import ResourceProvider
import Testing

private func mayThrow() throws {}
private func noAnswer() throws -> Int? { nil }

private func length(of text: String) throws -> Int {
    if text == "5" { throw DecodeError() }
    return text.count
}

/// S3.3, D3.24: the error type of a chain, for each of the three modifiers whose closure may fail.
struct FailureTypeTests {
    private let never = AnySendableSyncProvider<Int, Int, Never> { $0 }
    private let load = AnySendableSyncProvider<Int, Int, LoadError> { $0 }
    private let asyncNever = AnyAsyncProvider<Int, Int, Never> { $0 }
    private let asyncLoad = AnyAsyncProvider<Int, Int, LoadError> { $0 }

    @Test(.requirement("S3.3")) func `a closure that throws nothing leaves the error type alone`() {
        #expect(failureType(never.mapValue { value, _ in value }) == Never.self)
        #expect(failureType(never.interject { _ in nil }) == Never.self)
        #expect(failureType(load.mapValue { value, _ in value }) == LoadError.self)
        #expect(failureType(load.sideEffect { _, _ in }) == LoadError.self)
        #expect(failureType(asyncNever.mapValue { value, _ in value }) == Never.self)
        #expect(failureType(asyncLoad.sideEffect { _, _ in }) == LoadError.self)
        #expect(failureType(asyncLoad.interject { _ in nil }) == LoadError.self)
    }

    @Test(.requirement("S3.3")) func `a closure that throws the chain's own error leaves the error type alone`() {
        #expect(failureType(load.mapValue { (value, _) throws(LoadError) in value }) == LoadError.self)
        #expect(failureType(load.sideEffect { (_, _) throws(LoadError) in }) == LoadError.self)
        #expect(failureType(load.interject { (_) throws(LoadError) in nil }) == LoadError.self)
        #expect(failureType(asyncLoad.mapValue { (value, _) throws(LoadError) in value }) == LoadError.self)
        #expect(failureType(asyncLoad.interject { (_) throws(LoadError) in nil }) == LoadError.self)
    }

    @Test(.requirement("D3.17"))
    func `mapError gives a chain that could not fail the error type of the closure that follows`() {
        let decoding = never.mapError { _ -> DecodeError in }
        #expect(failureType(decoding.mapValue { (value, _) throws(DecodeError) in value }) == DecodeError.self)
        #expect(failureType(decoding.interject { (_) throws(DecodeError) in nil }) == DecodeError.self)
        #expect(failureType(decoding.sideEffect { (_, _) throws(DecodeError) in }) == DecodeError.self)
        let asyncDecoding = asyncNever.mapError { _ -> DecodeError in }
        #expect(failureType(asyncDecoding.mapValue { (value, _) throws(DecodeError) in value }) == DecodeError.self)
        #expect(failureType(asyncDecoding.interject { (_) async throws(DecodeError) in nil }) == DecodeError.self)
        #expect(failureType(asyncDecoding.sideEffect { (_, _) throws(DecodeError) in }) == DecodeError.self)
    }

    @Test(.requirement("S3.3")) func `a chain of any Error takes closures that throw whatever they throw`() {
        let wide = load.mapError { $0 as any Error }
        #expect(failureType(wide.mapValue { (value, _) throws(DecodeError) in value }) == (any Error).self)
        #expect(failureType(wide.interject { (_) throws(DecodeError) in nil }) == (any Error).self)
        let asyncWide = asyncLoad.mapError { $0 as any Error }
        #expect(failureType(asyncWide.sideEffect { (_, _) throws(DecodeError) in }) == (any Error).self)
        #expect(failureType(asyncWide.mapValue { _, _ in try mayThrow() }) == (any Error).self)
    }

    @Test(.requirement("S3.6", "S3.21", "S3.23")) func `a closure that throws another error widens the chain`() {
        #expect(failureType(load.mapValue { _, _ in try mayThrow() }) == (any Error).self)
        #expect(failureType(load.mapValue { (value, _) throws(DecodeError) in value }) == (any Error).self)
        #expect(failureType(load.sideEffect { _, _ in try mayThrow() }) == (any Error).self)
        #expect(failureType(load.sideEffect { (_, _) throws(DecodeError) in }) == (any Error).self)
        #expect(failureType(load.interject { _ in try noAnswer() }) == (any Error).self)
        #expect(failureType(load.interject { (_) throws(DecodeError) in nil }) == (any Error).self)
        #expect(failureType(never.mapValue { _, _ in try mayThrow() }) == (any Error).self)
        #expect(failureType(asyncLoad.mapValue { _, _ in try mayThrow() }) == (any Error).self)
        #expect(failureType(asyncLoad.mapValue { (value, _) throws(DecodeError) in value }) == (any Error).self)
        #expect(failureType(asyncLoad.mapValue { (value, _) async throws(DecodeError) in value }) == (any Error).self)
        #expect(failureType(asyncLoad.sideEffect { _, _ in try mayThrow() }) == (any Error).self)
        #expect(failureType(asyncLoad.sideEffect { (_, _) throws(DecodeError) in }) == (any Error).self)
        #expect(failureType(asyncLoad.interject { _ in try noAnswer() }) == (any Error).self)
        #expect(failureType(asyncLoad.interject { (_) throws(DecodeError) in nil }) == (any Error).self)
        #expect(failureType(asyncNever.interject { _ in try noAnswer() }) == (any Error).self)
    }

    // In the middle of a long chain Swift chooses overloads before it knows the types.
    @Test(.requirement("S3.6")) func `a long chain keeps its error type up to the closure that widens it`() async throws
    {
        let narrow = asyncLoad.mapValue { value, _ in value + 1 }.mapID { (text: String) in text.count }
            .sideEffect { _, _ in }.interject { $0.isEmpty ? 0 : nil }.mapValue { value, _ in "\(value)" }
            .sideEffect { (_, _) throws(LoadError) in }.mapValue { text, _ in text.count }.interject { _ in nil }
        #expect(failureType(narrow) == LoadError.self)
        let wide = asyncLoad.mapValue { value, _ in value + 1 }.mapID { (text: String) in text.count }
            .sideEffect { _, _ in try mayThrow() }.interject { $0.isEmpty ? 0 : nil }.mapValue { value, _ in "\(value)"
            }
            .sideEffect { (_, _) throws(DecodeError) in }.mapValue { text, _ in try length(of: text) }
            .interject { _ in try noAnswer() }.mapValue { value, _ in value * 2 }.coordinated()
        #expect(failureType(wide) == (any Error).self)
        await #expect(throws: DecodeError()) { try await wide.value(for: "fail") }
        #expect(try await wide.value(for: "six") == 2)
    }

    @Test(.requirement("S3.6", "S3.23"))
    func `a widened chain throws the errors of both, and stores nothing that a closure rejects`() async {
        let cache = ProbeCache<Int, Int>()
        let provider = Provider.source { (id: Int) async throws(LoadError) -> Int in
            if id < 0 { throw .refused(id) }
            return id
        }
        .mapValue { value, _ in
            if value == 0 { throw DecodeError() }
            return value
        }
        .cache(cache.concurrent())
        await #expect(throws: LoadError.refused(-1)) { try await provider.value(for: -1) }
        await #expect(throws: DecodeError()) { try await provider.value(for: 0) }
        #expect((try? await provider.value(for: 1)) == 1)
        #expect(cache.value(for: 0) == nil && cache.value(for: 1) == 1)
    }

    @Test(.requirement("S3.22")) func `mapError translates each error and passes each value`() async {
        let provider = Provider.source { (id: Int) throws(LoadError) -> Int in
            if id < 0 { throw .refused(id) }
            return id
        }
        let sync = provider.mapError { $0 == .refused(-1) ? OtherError() as any Error : $0 }
        #expect(throws: OtherError()) { try sync.value(for: -1) }
        #expect(throws: LoadError.refused(-2)) { try sync.value(for: -2) }
        #expect((try? sync.value(for: 1)) == 1)

        let memory = ProbeCache([1: 10])
        let asynchronous = provider.concurrent().cache(memory.concurrent(isCheap: true)).mapError { _ in OtherError() }
        #expect(await failure { () async throws(OtherError) in try await asynchronous.value(for: -1) } == OtherError())
        #expect(asynchronous.immediateValue(for: 1) == 10)
    }

    @Test(.requirement("S3.22")) func `catch turns a failure into a value, and the provider into one that cannot fail`()
        async
    {
        let provider = Provider.source { (id: Int) throws(LoadError) -> Int in throw .refused(id) }
        let caught = provider.catch { error, id in error == .refused(id) ? -id : 0 }
        #expect(failureType(caught) == Never.self)
        #expect(caught[7] == -7)

        let asynchronous = provider.concurrent().catch { _, id in -id }
        #expect(await asynchronous.value(for: 8) == -8)
    }

    @Test(.requirement("S3.22"))
    func `catch turns a failure into an error of another type and is not called on success`() {
        let caught = Provider.source { (id: Int) throws(LoadError) -> Int in
            if id < 0 { throw .broken }
            return id
        }
        .catch { (_, _) throws(OtherError) in throw OtherError() }
        #expect(throws: OtherError()) { try caught.value(for: -1) }
        #expect((try? caught.value(for: 1)) == 1)
    }

    @Test(.requirement("S3.23")) func `a side effect sees each success, no failure, and can fail the request`() {
        let seen = Log<Int>()
        let provider = Provider.source { (id: Int) throws(LoadError) -> Int in
            if id < 0 { throw .broken }
            return id * 10
        }
        .sideEffect { (value, id) throws(LoadError) in
            seen.add(value)
            if id == 3 { throw .refused(value) }
        }
        #expect((try? provider.value(for: 1)) == 10)
        #expect(throws: LoadError.broken) { try provider.value(for: -1) }
        #expect(throws: LoadError.refused(30)) { try provider.value(for: 3) }
        #expect(seen.entries == [10, 30])
    }
}
