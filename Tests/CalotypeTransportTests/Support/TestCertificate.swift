import Foundation
import Testing

/// A temporary certificate for localhost, which is its own authority.
final class TestCertificate: Sendable {
    private let folder: URL
    var path: String { folder.appending(path: "cert.pem").path }
    var keyPath: String { folder.appending(path: "key.pem").path }

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "calotype-tls-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let openssl = Process()
        openssl.executableURL = try program("openssl")
        openssl.arguments = [
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
            "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-keyout", keyPath, "-out", path,
        ]
        openssl.standardError = FileHandle.nullDevice
        try openssl.run()
        openssl.waitUntilExit()
        try #require(openssl.terminationStatus == 0)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }
}

/// Returns the path of a program, found in PATH and the usual folders of servers.
func program(_ name: String) throws -> URL {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    let folders = path.split(separator: ":").map(String.init) + ["/usr/sbin", "/usr/local/sbin", "/opt/homebrew/bin"]
    let found = folders.map { URL(filePath: $0).appending(path: name) }
        .first { FileManager.default.isExecutableFile(atPath: $0.path) }
    return try #require(found, "\(name) is not installed; Scripts/test installs it")
}
