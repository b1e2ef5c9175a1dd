import CalotypeBase
import CalotypeHTTP
import CalotypeTesting
import CalotypeURLs
import Testing

@testable import CalotypeServer

/// Local sources that the operator restricts to folders, and drawings that are sent as they are.
struct SourceAccessByFolderTests {
    @Test func `only the permitted folders below the root are sources`() async throws {
        let server = try TestServer {
            try $0.allowed.allow("local:///public")
            try $0.allowed.allow("local:///more/open")
        }
        for name in ["public/a.jpg", "publicly/a.jpg", "more/open/a.jpg", "more/a.jpg", "a.jpg"] {
            try server.write(SamplePhotos.jpeg(width: 64, height: 48), name)
        }
        for (name, status) in [
            ("public/a.jpg", 200), ("publicly/a.jpg", 403), ("more/open/a.jpg", 200), ("more/a.jpg", 403),
            ("a.jpg", 403),
            ("public/../a.jpg", 400), ("/public/a.jpg", 200), ("./a.jpg", 403),
        ] {
            let answer = try await server.get(ByteString("/_/w:10/plain/local:///\(name)"))
            #expect(answer.status == status, "\(name)")
        }
    }

    @Test(arguments: ["local:///a/../b", "local://a", "local:///*/b"] as [ByteString])
    func `a folder that a path cannot name is refused`(_ prefix: ByteString) {
        var allowed = AllowedSources()
        #expect(throws: RenditionError.self) { try allowed.allow(prefix) }
    }
}
