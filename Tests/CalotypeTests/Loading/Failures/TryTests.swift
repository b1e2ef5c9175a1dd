import Calotype
import CalotypeHTTP
import CalotypeTesting
import Foundation
import Testing

/// The number of requests that a load sends to an origin that fails.
@Suite struct TryTests {
    private let origin: OriginServer

    init() throws {
        origin = try OriginServer()
        origin.on("/good", .ok(PlainDecoder.data()))
        origin.on("/reset", .ok(Data()).resetImmediately())
    }

    private func loader(_ retry: RetryPolicy, resumptions: Int = 2) -> ImageLoader {
        var options = ImageLoaderOptions.ephemeral
        options.decoders.register(PlainDecoder())
        options.retry = retry
        options.retry.firstPause = .zero
        options.resumptions = resumptions
        return ImageLoader(options)
    }

    // Resumptions of the body, retries and curl's own repetitions used to multiply: nine requests, three with `never`.
    @Test(arguments: [(RetryPolicy.never, 1), (.twice, 3), (RetryPolicy(count: 4), 5)], [false, true])
    func `a lost connection is tried as often as the policy allows`(
        _ policy: (RetryPolicy, Int), keepsConnection: Bool
    ) async throws {
        let loader = loader(policy.0)
        if keepsConnection { _ = try await loader.fetch(origin.url("/good")) }
        #expect(await imageError { try await loader.fetch(origin.url("/reset")) }?.code == .connectionFailed)
        #expect(origin.requestCount("/reset") == policy.1)
    }

    @Test func `a body that breaks off is resumed, and the retries count for all its requests`() async throws {
        let cut = OriginReply.ok(PlainDecoder.data()).droppedAfter(bytes: 3)
        origin.on("/cut", cut)
        #expect(await imageError { try await loader(.twice).fetch(origin.url("/cut")) } != nil)
        #expect(origin.requestCount("/cut") == 3)
        let reset = OriginReply.ok(Data()).resetImmediately()
        origin.on("/mixed", replies: [reset, cut, reset, cut, reset, cut])
        #expect(await imageError { try await loader(.twice).fetch(origin.url("/mixed")) } != nil)
        // Two retries of three lost connections, one resumption of each of the two broken bodies.
        #expect(origin.requestCount("/mixed") == 5)
    }
}
