import CalotypeBase
import ResourceProvider

enum LoadError: InterruptibleFailure, Equatable {
    case cancelled, timedOut, overloaded
    case broken
    case refused(Int)
}

struct DecodeError: Error, Equatable {}
struct OtherError: Error, Equatable {}

/// Returns the error that `body` throws, for assertions on its type and value.
func failure<Value, Failure: Error>(
    of body: () async throws(Failure) -> Value
) async -> Failure? {
    do throws(Failure) {
        _ = try await body()
        return nil
    } catch {
        return error
    }
}

/// Returns the type of error that a provider declares.
func failureType<Chain: SyncProvider>(_: Chain) -> Chain.Failure.Type { Chain.Failure.self }
func failureType<Chain: AsyncProvider>(_: Chain) -> Chain.Failure.Type { Chain.Failure.self }
