import CalotypeTesting
import Foundation
import TestSupport
import Testing

@testable import calotype_command

/// The port for imaginary's requests, as the command opens it.
struct ServeImaginaryTests {
    private let calotype: Calotype

    init() throws { calotype = try Calotype() }

    /// Writes a key into a file, and returns its path.
    private func keyFile(_ text: String) throws -> String {
        try calotype.write(Data(text.utf8), to: "key")
        return calotype.directory.appending(path: "key").path
    }

    @Test(arguments: ["secret", "secret\n", "secret\r\n"]) func `the key is the line of a file`(text: String)
        async throws
    {
        let file = try keyFile(text)
        // The port has the place of the admin port in the lines of the start.
        let server = try ServerChild(
            ["serve", "--listen", "127.0.0.1:0", "--imaginary", "127.0.0.1:0", "--imaginary-key-file", file],
            expectsAdmin: true)
        let port = try #require(server.adminPort)
        for (target, status) in [("/health?key=secret", 200), ("/health?key=wrong", 401), ("/fit?key=secret", 405)] {
            let client = try RawClient(port: port)
            try client.get(target, lines: ["Connection: close"])
            #expect(await client.receive().hasPrefix("HTTP/1.1 \(status) "), "\(target)")
        }
        // URLs have no source.
        let client = try RawClient(port: server.port)
        try client.get("/_/w:10/plain/local:///a.jpg", lines: ["Connection: close"])
        #expect(await client.receive().hasPrefix("HTTP/1.1 404 "))
        server.send(SIGTERM)
        #expect(await server.status == 0)
    }

    @Test(
        arguments: [
            (["--imaginary", "127.0.0.1:0"], "there is no key"),
            (["--imaginary", "0.0.0.0:0", "--insecure"], "--allow-remote permits it"),
            (["--imaginary", "127.0.0.1:0", "--imaginary-key-file", "/nowhere/key"], "there is no such file"),
            (["--imaginary", "127.0.0.1:0", "--imaginary-key-file", "/dev/null"], "expected a line of visible ASCII"),
            (["--imaginary", "nonsense"], "expected an address"),
            (["--imaginary", "127.0.0.1:0", "--insecure", "--max-operations", "0"], "1 to 100"),
            (["--root", "/", "--insecure", "--max-operations", "3"], "it has no effect without --imaginary"),
            (
                ["--root", "/", "--insecure", "--imaginary-key-file", "/dev/null"],
                "it has no effect without --imaginary"
            ),
        ] as [([String], String)])
    func `a wrong setting is refused by its name`(arguments: [String], problem: String) async throws {
        let ending = try await calotype.start(["serve", "--listen", "127.0.0.1:0"] + arguments).ending()
        #expect(ending.status == 2 && ending.errors.contains(problem), "\(ending.errors)")
    }

    @Test func `a key does not take the place of that of URLs`() async throws {
        let file = try keyFile("secret")
        let ending = try await calotype(
            "serve", "--listen", "127.0.0.1:0", "--root", "/", "--imaginary", "127.0.0.1:0", "--imaginary-key-file",
            file)
        #expect(ending.status == 2 && ending.errors.contains("anyone may ask for any rendition"))
    }
}
