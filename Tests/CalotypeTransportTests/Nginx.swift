import CalotypeTesting
import Foundation
import Testing

/// A real nginx on loopback that speaks TLS, with a certificate made for the occasion.
final class Nginx: Sendable {
    let port: UInt16
    let folder: URL
    /// The certificate, which is its own authority.
    var certificate: String { folder.appending(path: "cert.pem").path }
    private let process: Process

    /// - Parameter http2: whether it offers HTTP/2.
    init(http2: Bool, files: [String: Data]) async throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "calotype-nginx-\(UUID().uuidString)")
        let root = folder.appending(path: "www")
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
        // nginx started as root serves as another user, who must get in.
        for directory in [folder, root] {
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: directory.path)
        }
        for (name, data) in files { try data.write(to: root.appending(path: name)) }
        try Nginx.makeCertificate(in: folder)
        port = try freePort()
        try Nginx.configuration(folder, port, http2).write(
            to: folder.appending(path: "nginx.conf"), atomically: true, encoding: .utf8)
        process = Process()
        process.executableURL = try program("nginx")
        process.arguments = ["-c", folder.appending(path: "nginx.conf").path, "-p", folder.path, "-e", "error.log"]
        process.standardError = FileHandle.nullDevice
        try process.run()
        try await waitUntilItListens()
    }

    deinit {
        process.terminate()
        process.waitUntilExit()
        try? FileManager.default.removeItem(at: folder)
    }

    func url(_ path: String) throws -> URL {
        try #require(URL(string: "https://localhost:\(port)/\(path)"))
    }

    private static func makeCertificate(in folder: URL) throws {
        let openssl = Process()
        openssl.executableURL = try program("openssl")
        openssl.arguments = [
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
            "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost",
            "-keyout", folder.appending(path: "key.pem").path, "-out", folder.appending(path: "cert.pem").path,
        ]
        openssl.standardError = FileHandle.nullDevice
        try openssl.run()
        openssl.waitUntilExit()
        try #require(openssl.terminationStatus == 0)
    }

    private static func configuration(_ folder: URL, _ port: UInt16, _ http2: Bool) -> String {
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
                    ssl_certificate \(folder.path)/cert.pem; ssl_certificate_key \(folder.path)/key.pem;
                    root \(folder.path)/www;
                }
            }
            """
    }

    /// Connects until somebody answers: a process is ready some time after it has started.
    private func waitUntilItListens() async throws {
        while !isListening(port) {
            try #require(process.isRunning, "nginx ended before it listened")
            await Task.yield()
        }
    }
}

/// Where a program is, by PATH and the places where servers are put.
private func program(_ name: String) throws -> URL {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    let folders = path.split(separator: ":").map(String.init) + ["/usr/sbin", "/usr/local/sbin", "/opt/homebrew/bin"]
    let found = folders.map { URL(filePath: $0).appending(path: name) }
        .first { FileManager.default.isExecutableFile(atPath: $0.path) }
    return try #require(found, "\(name) is not installed; Scripts/test installs it")
}
