import CalotypeListener
import CalotypeServer
import Foundation

/// The sockets that a service manager has opened for this process, as systemd passes them: LISTEN_FDS descriptors from 3
/// on, with the names in LISTEN_FDNAMES.
struct ListeningSockets: Sendable {
    /// The socket for clients.
    private(set) var http: InheritedSocket?
    /// The socket for health, metrics and purges.
    private(set) var admin: InheritedSocket?

    init() {}

    /// Reads the variables. Those for another process, by LISTEN_PID, have no effect.
    ///
    /// - Parameters:
    ///   - process: This process's ID.
    ///   - first: The first descriptor.
    init(
        _ environment: [String: String], process: pid_t = getpid(), first: Int32 = 3
    ) throws(UsageError) {
        guard environment["LISTEN_PID"].flatMap({ pid_t($0) }) == process else { return }
        let count = try Self.count(environment)
        let names = try Self.names(environment, count: count)
        for (index, name) in names.enumerated() {
            let socket: InheritedSocket
            do throws(ListenerError) { socket = try InheritedSocket(first + Int32(index)) } catch {
                throw UsageError("the socket \(name) of the service manager: \(error)")
            }
            if name == "admin" { admin = socket } else { http = socket }
        }
    }

    private static func count(_ environment: [String: String]) throws(UsageError) -> Int {
        let text = environment["LISTEN_FDS"] ?? "0"
        guard let count = Int(text), (0...2).contains(count) else {
            throw UsageError("LISTEN_FDS=\(text): expected at most two sockets, with the names http and admin")
        }
        return count
    }

    /// Returns a name for each descriptor. One descriptor without a name is `http`.
    private static func names(_ environment: [String: String], count: Int) throws(UsageError) -> [String] {
        guard count > 0 else { return [] }
        guard let text = environment["LISTEN_FDNAMES"] ?? (count == 1 ? "http" : nil) else {
            throw UsageError("LISTEN_FDS=\(count), but LISTEN_FDNAMES is not set: expected http:admin")
        }
        let names = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        guard names.count == count else {
            throw UsageError("LISTEN_FDS=\(count), but LISTEN_FDNAMES=\(text) has \(names.count)")
        }
        if let unknown = names.first(where: { $0 != "http" && $0 != "admin" }) {
            throw UsageError(
                "LISTEN_FDNAMES=\(text): unknown name '\(unknown)'; FileDescriptorName= must be http or admin")
        }
        guard Set(names).count == count else {
            throw UsageError(
                "LISTEN_FDNAMES=\(text): two sockets have one name; ListenStream=[::]:8080 alone serves IPv6 and IPv4")
        }
        return names
    }
}

extension InheritedSocket {
    var address: ListenAddress { ListenAddress(host: host, port: port) }
}

extension ServingOptions {
    /// Takes the socket for clients in place of the address of `--listen`.
    mutating func listen(on sockets: ListeningSockets, _ arguments: Arguments) throws(UsageError) {
        guard let socket = sockets.http else { return }
        if arguments.has(.listen) {
            throw arguments.error(
                .listen, "the service manager has opened \(socket.address) for the server: leave out one of them")
        }
        if signer == nil, !socket.address.isLoopback, !arguments.has(.allowAnyHost) {
            throw arguments.error(
                "without a key, the service manager's socket \(socket.address) lets anyone who can reach it ask for any "
                    + "rendition: --allow-remote permits it")
        }
        listener.socket = socket
    }
}
