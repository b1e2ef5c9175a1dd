import CalotypeTesting
import TestSupport
import Foundation
import Testing
import Waiting

/// A real nginx on loopback that speaks TLS, with a temporary certificate.
final class Nginx: Sendable {
    let port: UInt16
    let folder: URL
    let certificate: TestCertificate
    private let process = Process()

    /// - Parameters:
    ///   - http2: Whether the server offers HTTP/2.
    ///   - settings: More lines for the server's part of its configuration.
    init(http2: Bool, files: [String: Data], settings: String = "") async throws {
        certificate = try TestCertificate()
        folder = FileManager.default.temporaryDirectory.appending(path: "calotype-nginx-\(UUID().uuidString)")
        let root = folder.appending(path: "www")
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
        // nginx started as root serves as another user, which needs access.
        for directory in [folder, root] {
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: directory.path)
        }
        for (name, data) in files { try data.write(to: root.appending(path: name)) }
        port = try freePort()
        try configuration(http2, settings).write(
            to: folder.appending(path: "nginx.conf"), atomically: true, encoding: .utf8)
        process.executableURL = try program("nginx")
        process.arguments = ["-c", folder.appending(path: "nginx.conf").path, "-p", folder.path, "-e", "error.log"]
        process.standardError = FileHandle.nullDevice
        try process.run()
        try await waitUntilItListens()
    }

    deinit {
        // `deinit` also runs after an `init` that threw before the launch: terminating it then would end this process.
        if process.isRunning {
            process.terminate()
            process.waitUntilExit()
        }
        try? FileManager.default.removeItem(at: folder)
    }

    func url(_ path: String) throws -> URL {
        try #require(URL(string: "https://localhost:\(port)/\(path)"))
    }

    private func configuration(_ http2: Bool, _ settings: String) -> String {
        let places = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map {
            "\($0)_temp_path \(folder.path)/\($0);"
        }
        return """
            daemon off; worker_processes 1; pid \(folder.path)/nginx.pid;
            events { worker_connections 256; }
            http {
                access_log \(folder.path)/access.log; \(places.joined(separator: " "))
                server {
                    listen 127.0.0.1:\(port) ssl\(http2 ? " http2" : "");
                    ssl_certificate \(certificate.path); ssl_certificate_key \(certificate.keyPath);
                    root \(folder.path)/www; \(settings)
                }
            }
            """
    }

    /// Connects until the server answers: a process is ready only some time after its start.
    private func waitUntilItListens() async throws {
        try await repeatUntil {
            try #require(process.isRunning, "nginx ended before it listened")
            return isListening(port)
        }
    }
}
