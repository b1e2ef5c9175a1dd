import CalotypeBase
import CalotypeHTTP
import CalotypeListener
import Foundation

/// The server for operators, on a separate port.
enum AdminServer {
    /// - Parameters:
    ///   - socket: The socket at the address, if the service manager has opened one. The default is `nil`.
    ///   - connections: The maximum number of connections. Keep it small, because the limits of the served port do not
    ///     include these. The default is 16.
    static func listener(
        at address: ListenAddress, _ socket: InheritedSocket? = nil, connections: Int = 16, pages: [AdminPage]
    ) throws(ListenerError) -> Listener {
        var options = Listener.Options(host: address.host, port: address.port)
        options.socket = socket
        options.connectionLimit = connections
        // A check of health gets a place however many connections ask for nothing.
        options.timeouts.rest = .zero
        options.bodyLimit = 64 << 10
        return try Listener(options: options) { request in
            guard address.isMeant(by: request.fields["Host"]?.string) else {
                return .adminText("This server answers only for names of this machine.\n", status: 421)
            }
            return await answer(request, pages)
        }
    }

    private static func answer(_ request: ListenerRequest, _ pages: [AdminPage]) async -> ListenerResponse {
        guard let page = pages.first(where: { $0.path == request.path }) else {
            let paths = pages.map(\.path).joined(separator: ", ")
            return .adminText("There is nothing here; the pages are \(paths).\n", status: 404)
        }
        guard page.allowed.contains(request.method) else {
            let methods = page.allowed.map(\.rawValue.string).joined(separator: ", ")
            return .adminText("Allowed here: \(methods).\n", status: 405, ["Allow": ByteString(methods)])
        }
        return await page.answer(request)
    }
}

extension Arguments {
    /// Returns the address of `--admin` or of the service manager's socket, which may be remote only with
    /// `--allow-remote`.
    ///
    /// - Parameter isOpened: Whether the server will listen there. The default is `true`.
    func adminAddress(
        _ socket: InheritedSocket? = nil, isOpened: Bool = true
    ) throws(UsageError) -> ListenAddress? {
        if let socket, has(.admin) {
            throw error(.admin, "the service manager has opened \(socket.address) for it: leave out one of them")
        }
        let given = try address(.admin)
        guard let address = socket?.address ?? given else { return nil }
        guard address.isLoopback || has(.allowRemote) || !isOpened else {
            throw error(
                .admin,
                "\(address) shows the metrics to everyone who can reach it: name a port of this machine alone, such as "
                    + "127.0.0.1:8081, or permit it by --allow-remote")
        }
        return address
    }
}

extension Option {
    static let admin = Option(
        "admin", nil, "ADDRESS:PORT",
        help: "Serve /.calotype/health, /.calotype/ready and /.calotype/metrics at this address or port, and with "
            + "--admin-token (serve) /.calotype/purge and /.calotype/purges.")
}
