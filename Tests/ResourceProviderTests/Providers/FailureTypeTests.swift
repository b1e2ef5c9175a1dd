import Requirements
import ResourceProvider
import Testing

private func mayThrow() throws {}

/// S3.3, D3.24: which error type comes out of a chain, for each of the three modifiers that add one.
struct FailureTypeTests {
    private let never = AnySendableSyncProvider<Int, Int, Never> { $0 }
    private let load = AnySendableSyncProvider<Int, Int, LoadError> { $0 }
    private let plainNever = AnySyncProvider<Int, Int, Never> { $0 }
    private let plainLoad = AnySyncProvider<Int, Int, LoadError> { $0 }
    private let asyncNever = AnyAsyncProvider<Int, Int, Never> { $0 }
    private let asyncLoad = AnyAsyncProvider<Int, Int, LoadError> { $0 }

    @Test(.requirement("S3.3")) func `a closure that throws nothing leaves the error type alone`() {
        #expect(failureType(never.mapValue { value, _ in value }) == Never.self)
        #expect(failureType(load.mapValue { value, _ in value }) == LoadError.self)
        #expect(failureType(plainLoad.sideEffect { _, _ in }) == LoadError.self)
        #expect(failureType(plainNever.interject { _ in nil }) == Never.self)
        #expect(failureType(asyncNever.mapValue { value, _ in value }) == Never.self)
        #expect(failureType(asyncLoad.sideEffect { _, _ in }) == LoadError.self)
        #expect(failureType(asyncLoad.interject { _ in nil }) == LoadError.self)
    }

    @Test(.requirement("S3.3")) func `a closure that throws the chain's own error leaves the error type alone`() {
        #expect(failureType(load.mapValue { (value, _) throws(LoadError) in value }) == LoadError.self)
        #expect(failureType(plainLoad.sideEffect { (_, _) throws(LoadError) in }) == LoadError.self)
        #expect(failureType(asyncLoad.mapValue { (value, _) throws(LoadError) in value }) == LoadError.self)
        #expect(failureType(asyncLoad.interject { (_) throws(LoadError) in nil }) == LoadError.self)
    }

    @Test(.requirement("D3.17"))
    func `a chain that could not fail throws what the closure throws, and no less exact type`() {
        #expect(failureType(never.mapValue { (value, _) throws(DecodeError) in value }) == DecodeError.self)
        #expect(failureType(plainNever.mapValue { (value, _) throws(DecodeError) in value }) == DecodeError.self)
        #expect(failureType(plainNever.interject { (_) throws(DecodeError) in nil }) == DecodeError.self)
        #expect(failureType(plainNever.sideEffect { (_, _) throws(DecodeError) in }) == DecodeError.self)
        #expect(failureType(asyncNever.mapValue { (value, _) throws(DecodeError) in value }) == DecodeError.self)
        #expect(failureType(asyncNever.interject { (_) async throws(DecodeError) in nil }) == DecodeError.self)
        #expect(failureType(asyncNever.sideEffect { (_, _) throws(DecodeError) in }) == DecodeError.self)
        #expect(failureType(never.mapValue { value, _ in try mayThrow() }) == (any Error).self)
    }

    @Test(.requirement("S3.3")) func `two different errors make it any Error`() {
        #expect(failureType(load.mapValue { (value, _) throws(DecodeError) in value }) == (any Error).self)
        #expect(failureType(plainLoad.interject { (_) throws(DecodeError) in nil }) == (any Error).self)
        #expect(failureType(asyncLoad.sideEffect { (_, _) throws(DecodeError) in }) == (any Error).self)
        #expect(failureType(asyncLoad.mapValue { _, _ in try mayThrow() }) == (any Error).self)
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
