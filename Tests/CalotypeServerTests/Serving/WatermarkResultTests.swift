import CalotypeBase
import CalotypeCodecs
import CalotypeHTTP
import CalotypeStore
import CalotypeTesting
@testable import CalotypeURLs
import Foundation
import Testing

@testable import CalotypeServer

/// Stored results, after a restart with another watermark.
struct WatermarkResultTests {
    private let folder = TemporaryFolder()
    private let marked: ByteString = "/_/w:40/wm:1/plain/local:///a.jpg@png"
    private let plain: ByteString = "/_/w:40/plain/local:///a.jpg@png"

    /// Returns a server over the shared store.
    ///
    /// - Parameter seed: Another number makes another watermark; `nil` makes none.
    private func server(mark seed: Int?) throws -> TestServer {
        let server = try TestServer {
            $0.store = folder.path
            $0.watermark = try seed.map {
                try DecoderRegistry.standard.decode(SamplePhotos.png(width: 16, height: 16, seed: $0))
            }
        }
        try server.write(SamplePhotos.jpeg(width: 80, height: 60), "a.jpg")
        return server
    }

    @Test(arguments: [2, nil] as [Int?]) func `a new watermark replaces the old one at once`(seed: Int?) async throws {
        let first = try server(mark: 1)
        let (old, unmarked) = (try await first.get(marked), try await first.get(plain))
        await first.close()
        let second = try server(mark: seed)
        let new = try await second.get(marked)
        #expect(new.outcome == "made" && new.body != old.body && new.fields["ETag"] != old.fields["ETag"])
        let same = try await second.get(plain)
        #expect(same.outcome == "hit" && same.body == unmarked.body)
        await second.close()
    }

    @Test func `an equal watermark keeps its results`() async throws {
        let first = try server(mark: 1)
        let old = try await first.get(marked)
        await first.close()
        let second = try server(mark: 1)
        let found = try await second.get(marked)
        #expect(found.outcome == "hit" && found.body == old.body)
        await second.close()
    }

    @Test func `the key of a result that has the watermark names it, and no option has its name`() throws {
        let rendition = try RenditionRequest(path: "/w:40/wm:1/plain/local:///a.jpg@png")
        let key = rendition.resultKey(mark: "abc")
        #expect(key != rendition.resultKey(mark: "abd") && key != rendition.resultKey(mark: nil))
        let plain = try RenditionRequest(path: "/w:40/plain/local:///a.jpg@png")
        #expect(plain.resultKey(mark: "abc") == plain.resultKey(mark: nil))
        #expect(throws: RenditionError.self) { try RenditionRequest(path: "/mark:abc/plain/local:///a.jpg") }
    }

    @Test func `explain finds the result of the server's watermark`() async throws {
        let server = try server(mark: 1)
        _ = try await server.get(marked)
        for disk in server.server.disks { try await disk.flush() }
        let lines = try await server.options.explanation(of: marked)
        #expect(lines.contains { $0.hasPrefix("stored result   fresh") }, "\(lines)")
        await server.close()
    }
}
