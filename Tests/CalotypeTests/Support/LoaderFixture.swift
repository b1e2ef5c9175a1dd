import Calotype
import CalotypeCodecs
import CalotypeHTTP
import CalotypeTesting
import CalotypeTransport
import Foundation
import Synchronization
import Testing
import Waiting

/// A loader over a fake transport and a decoder of plain images, both of which count their work.
struct LoaderFixture {
    let transport: FakeTransport
    let decoder: PlainDecoder
    let loader: ImageLoader

    /// Creates a loader whose transport answers every request with a plain image.
    ///
    /// - Parameter gate: The gate at which every answer waits. The default is open.
    init(
        gate: Gate = Gate(isOpen: true), decodeHook: (@Sendable () -> Void)? = nil,
        options change: (inout ImageLoaderOptions) -> Void = { _ in }
    ) {
        self.init(gate, decodeHook, change) { request in .picture(request) }
    }

    /// Creates a loader whose transport answers requests with the given closure.
    init(
        gate: Gate = Gate(isOpen: true), decodeHook: (@Sendable () -> Void)? = nil,
        options change: (inout ImageLoaderOptions) -> Void = { _ in },
        answering answer: @escaping FakeTransport.Answer
    ) {
        self.init(gate, decodeHook, change, answer)
    }

    private init(
        _ gate: Gate, _ decodeHook: (@Sendable () -> Void)?, _ change: (inout ImageLoaderOptions) -> Void,
        _ answer: @escaping FakeTransport.Answer
    ) {
        transport = FakeTransport { request throws(TransportError) in
            await gate.wait()
            if Task.isCancelled { throw .cancelled }
            return try await answer(request)
        }
        decoder = PlainDecoder(hook: decodeHook)
        var options = ImageLoaderOptions.ephemeral
        options.transport = transport
        options.retry = .never
        options.decoders.register(decoder)
        options.respondsToMemoryPressure = false
        change(&options)
        loader = ImageLoader(options)
    }

    /// Waits until this many waiters wait for images, including those of flights for other images, and for bytes.
    func waitForWaiters(images: Int, sources: Int) async {
        await waitUntil {
            let statistics = loader.statistics
            return statistics.imageWaiters == images && statistics.sourceWaiters == sources
        }
    }
}

/// A counter whose first number is 1.
final class Counter: Sendable {
    private let value = Atomic(0)

    var count: Int { value.load(ordering: .sequentiallyConsistent) }

    @discardableResult
    func next() -> Int { value.add(1, ordering: .sequentiallyConsistent).newValue }
}

extension HTTPResponse {
    static func picture(_ request: HTTPRequest, width: Int = 4, height: Int = 3, blue: UInt8 = 200) -> HTTPResponse {
        let data = PlainDecoder.data(width, height, blue: blue)
        // Fresh for a week, as from a server whose images may be cached.
        let fields: HTTPFields = ["Content-Length": "\(data.count)", "Cache-Control": "max-age=604800"]
        return HTTPResponse(url: request.url, status: 200, fields: fields, body: HTTPBody(data))
    }
}

extension URL {
    static func photo(_ name: some CustomStringConvertible = 1) -> URL {
        URL(string: "http://photos.example/\(name)")!  // A literal that parses.
    }
}

/// Runs `count` copies at once and returns their results in order.
func concurrently<Value: Sendable>(
    _ count: Int, _ body: @escaping @Sendable (Int) async -> Value
) async -> [Value] {
    let tasks = (0..<count).map { index in Task { await body(index) } }
    var values: [Value] = []
    for task in tasks { values.append(await task.value) }
    return values
}

/// Returns the `ImageError` that `body` throws; `nil` if it does not throw one.
func imageError(_ body: () async throws -> some Any) async -> ImageError? {
    do {
        _ = try await body()
        return nil
    } catch {
        return error as? ImageError
    }
}
