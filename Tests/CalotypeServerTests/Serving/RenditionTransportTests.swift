import Calotype
import CalotypeBase
import CalotypeHTTP
import CalotypeTesting
@testable import CalotypeURLs
import Foundation
import Testing

@testable import CalotypeServer

/// The transport below the cache of results, without that cache.
struct RenditionTransportTests {
    private let server: TestServer
    private let transport: RenditionTransport

    init() throws {
        server = try TestServer()
        try server.write(SamplePhotos.jpeg(width: 64, height: 48), "a.jpg")
        let (options, basis) = (server.options.options, server.server.basis)
        let sources = ServerSources(options.sources, try options.sources.openRoot(), disk: nil, clients: 1, basis)
        transport = RenditionTransport(RenditionMaker(options.making, sources, basis), basis)
    }

    @Test func `a request carries its rendition parsed, and its key is not read`() async throws {
        let rendition = try Rendition(RenditionRequest(path: "/w:10/plain/local:///a.jpg@png"))
        var request = HTTPRequest(RenditionAnswers.url)
        request.cacheKey = "a key of no rendition"
        request.subject = RequestSubject(rendition, host: nil)
        let response = try await transport.send(request)
        #expect(response.status == 200 && response.fields["Content-Type"] == "image/png")

        request.subject = nil
        await #expect {
            _ = try await transport.send(request)
        } throws: { ($0 as? TransportError)?.code == .malformedRequest }
    }

    @Test func `equal files have equal subjects, whatever else their URLs state`() throws {
        let subjects = try [
            "/w:10/plain/local:///a", "/exp:9999999999/fn:b/w:10/plain/local:///a", "/w:11/plain/local:///a",
        ].map {
            RequestSubject(try Rendition(RenditionRequest(path: $0)), host: nil)
        }
        #expect(subjects[0] == subjects[1] && subjects[0] != subjects[2])
        #expect(Set(subjects).count == 2)
    }
}
