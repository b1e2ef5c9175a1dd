import CMicroHTTPD
import CalotypeHTTP
import Foundation

/// One client's connection: takes requests in, one after the other, and hands their answers on.
///
/// Lives on one of the library's threads, and is touched nowhere else.
final class ListenerConnection {
    /// A request between its head and the end of its answer.
    private struct Current {
        let id: UInt64
        let fields: HTTPFields
        var body = Data()
        var exchange: Exchange?
        /// What we know to have gone wrong, which the library does not tell.
        var outcome: Listener.Outcome?
        var isPresented = false
    }

    private let core: ListenerCore
    private var target = ""
    private var current: Current?

    init(_ core: ListenerCore) {
        self.core = core
    }

    /// Before the library has taken the target apart.
    func begin(target: String) {
        self.target = target
        current = nil
    }

    /// Called once with the head, once for each piece of the body, once with all of it, and again after each pause.
    func handle(
        _ connection: OpaquePointer, method: String, version: String, upload: UnsafeRawBufferPointer
    ) -> MHD_Result {
        guard current != nil else { return takeHead(connection) }
        if !upload.isEmpty { return takeBody(upload) }
        if let exchange = current?.exchange { return proceed(exchange, connection, method) }
        return present(connection, method: method, version: version)
    }

    private func takeHead(_ connection: OpaquePointer) -> MHD_Result {
        let fields = requestFields(of: connection)
        current = Current(id: core.nextRequestID(), fields: fields)
        if let length = fields["Content-Length"].flatMap({ Int($0) }), length > core.options.bodyLimit {
            return send(.tooLarge(limit: core.options.bodyLimit), on: connection, method: "")
        }
        // The answer has to wait for the next call: queued on the first one, it costs the connection.
        return .YES
    }

    private func takeBody(_ upload: UnsafeRawBufferPointer) -> MHD_Result {
        guard let held = current?.body.count, held + upload.count <= core.options.bodyLimit else {
            return .NO
        }
        current?.body.append(contentsOf: upload)
        return .YES
    }

    private func present(_ connection: OpaquePointer, method: String, version: String) -> MHD_Result {
        guard let current else { return .NO }
        self.current?.isPresented = true
        let request = ListenerRequest(
            id: current.id, method: HTTPMethod(rawValue: method), target: target, version: version,
            fields: current.fields, body: current.body)
        switch core.answer(request).kind {
        case .now(let response):
            return send(response, on: connection, method: method)
        case .later(let work):
            let exchange = makeExchange(connection)
            exchange.start { exchange.deliver(await work()) }
            return proceed(exchange, connection, method)
        }
    }

    private func proceed(_ exchange: Exchange, _ connection: OpaquePointer, _ method: String) -> MHD_Result {
        switch exchange.takeResponse() {
        case .response(let response): send(response, on: connection, method: method)
        case .suspended: .YES
        case .gone: .NO
        }
    }

    private func send(_ response: ListenerResponse, on connection: OpaquePointer, method: String) -> MHD_Result {
        let writer = ResponseWriter(response: response, isHead: method == "HEAD")
        let queued = writer.queue(on: connection) { current?.exchange ?? makeExchange(connection) }
        if queued == nil { drop() }
        return queued ?? .NO
    }

    private func drop() {
        current?.outcome = .dropped
        current?.exchange?.note(.dropped)
    }

    private func makeExchange(_ connection: OpaquePointer) -> Exchange {
        let exchange = Exchange(id: current?.id ?? 0, core: core, connection: connection)
        current?.exchange = exchange
        return exchange
    }

    /// The library has sent the answer, or never will.
    func end(_ code: MHD_RequestTerminationCode) {
        guard let ended = current else { return }
        current = nil
        let known = ended.exchange?.end() ?? ended.outcome
        guard ended.isPresented else { return }
        core.options.onEnd?(ended.id, code.outcome(known))
    }
}

extension MHD_RequestTerminationCode {
    fileprivate func outcome(_ known: Listener.Outcome?) -> Listener.Outcome {
        switch self {
        case .REQUEST_TERMINATED_COMPLETED_OK: .complete
        case .REQUEST_TERMINATED_DAEMON_SHUTDOWN, .REQUEST_TERMINATED_TIMEOUT_REACHED: known ?? .dropped
        default: known ?? .clientLeft
        }
    }
}

extension ListenerResponse {
    fileprivate static func tooLarge(limit: Int) -> ListenerResponse {
        var response = ListenerResponse(
            status: 413, fields: ["Content-Type": "text/plain; charset=utf-8"],
            body: Data("The body is larger than the limit of \(limit) bytes.\n".utf8))
        response.closesConnection = true
        return response
    }
}

private func requestFields(of connection: OpaquePointer) -> HTTPFields {
    var lines: [HTTPFields.Field] = []
    withUnsafeMutablePointer(to: &lines) { lines in
        _ = MHD_get_connection_values_n(
            connection, .HEADER_KIND,
            { closure, _, name, nameLength, value, valueLength in
                guard let closure, let name else { return .YES }
                let lines = closure.assumingMemoryBound(to: [HTTPFields.Field].self)
                lines.pointee.append(
                    HTTPFields.Field(name: string(name, nameLength), value: value.map { string($0, valueLength) } ?? "")
                )
                return .YES
            }, lines)
    }
    return HTTPFields(lines)
}

private func string(_ start: UnsafePointer<CChar>, _ count: Int) -> String {
    String(decoding: UnsafeRawBufferPointer(start: start, count: count), as: UTF8.self)
}
