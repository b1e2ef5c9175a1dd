import Foundation
import Glibc
import Testing
import Waiting

/// A name server on loopback that never answers, for a child with its own `/etc/resolv.conf`.
///
/// It needs root: questions go to port 53, and the files are in the child's mount namespace.
final class SilentNameServer: Sendable {
    struct Failure: Error { let code: Int32 }

    private let descriptor: Int32
    private let place: URL

    init() throws {
        let host = "127.83.\(UInt8.random(in: .min ... .max)).\(UInt8.random(in: 1...254))"
        descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        place = FileManager.default.temporaryDirectory.appending(path: "calotype-names-\(UUID().uuidString)")
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(53).bigEndian
        inet_pton(AF_INET, host, &address.sin_addr)
        let status = withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        // `deinit` closes the socket, even after this throw, since every property is set.
        guard status == 0 else { throw Failure(code: errno) }
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        try Data("nameserver \(host)\n".utf8).write(to: place.appending(path: "resolv.conf"))
        try Data("hosts: files dns\n".utf8).write(to: place.appending(path: "nsswitch.conf"))
    }

    deinit {
        close(descriptor)
        try? FileManager.default.removeItem(at: place)
    }

    /// The commands that mount the files in the namespace.
    var mounts: [String] {
        ["resolv.conf", "nsswitch.conf"].map { name in
            "mount --bind '\(place.appending(path: name).path)' /etc/\(name)"
        }
    }

    /// Waits for the first question.
    func isAsked() async {
        var byte: UInt8 = 0
        await waitUntil { recv(descriptor, &byte, 1, Int32(MSG_DONTWAIT)) > 0 }
    }

    /// Whether the tests can have such a server on this machine.
    static let isPossible: Bool = {
        guard let server = try? SilentNameServer() else { return false }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["unshare", "-m", "sh", "-c", server.mounts.joined(separator: " && ")]
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }()
}
