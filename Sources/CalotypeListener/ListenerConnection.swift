import CMicroHTTPD
import CalotypeHTTP
import Foundation

/// One client's connection: takes requests in, one after the other, and hands their answers on.
///
/// Lives on one of the library's threads, and is touched nowhere else.
final class ListenerConnection {
    /// A request between its head and the end of its answer.
    private final class Current {
        let id: UInt64
        let head: RequestHead
        var body = Data()
        var upload: UploadPump?
        /// Decided while the body is still to come.
        var early: ListenerResponse?
        var exchange: Exchange?
        /// What we know to have gone wrong, which the library does not tell.
        var outcome: Listener.Outcome?
        var isPresented = false

        init(id: UInt64, head: RequestHead) {
            self.id = id
            self.head = head
        }
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
    }

    /// Called once with the head, once for each piece of the body, once with all of it, and again after each pause.
    ///
    /// - Returns: beside the library's result, whether `upload` was taken.
    func handle(
        _ connection: OpaquePointer, line: (method: UnsafePointer<CChar>, version: UnsafePointer<CChar>),
        upload: UnsafeRawBufferPointer
    ) -> (MHD_Result, isTaken: Bool) {
        guard let current else { return (takeHead(connection, line), true) }
        if !upload.isEmpty { return takeBody(upload) }
        current.upload?.finish()
        if let early = current.early { return (send(early, on: connection), true) }
        if let exchange = current.exchange { return (proceed(exchange, connection), true) }
        return (present(connection), true)
    }

    /// The answer has to wait for the next call: queued on this one, it costs the connection. So do refusals.
    private func takeHead(
        _ connection: OpaquePointer, _ line: (method: UnsafePointer<CChar>, version: UnsafePointer<CChar>)
    ) -> MHD_Result {
        do throws(RequestRefusal) {
            let head = try RequestHead.read(from: connection, line: line, target: target)
            if let length = head.contentLength, length > core.options.bodyLimit {
                throw .tooLarge(limit: core.options.bodyLimit)
            }
            current = Current(id: core.requestBegan(), head: head)
        } catch {
            return send(error.response, on: connection)
        }
        if core.options.streamsBodies, current?.head.announcesBody == true { presentEarly(connection) }
        return .YES
    }

    private func takeBody(_ bytes: UnsafeRawBufferPointer) -> (MHD_Result, isTaken: Bool) {
        if let upload = current?.upload {
            if current?.exchange?.isOver == true { return (.NO, true) }
            return (.YES, upload.take(bytes))
        }
        guard let held = current?.body.count, held + bytes.count <= core.options.bodyLimit else { return (.NO, true) }
        current?.body.append(contentsOf: bytes)
        return (.YES, true)
    }

    private func present(_ connection: OpaquePointer) -> MHD_Result {
        guard let current else { return .NO }
        current.isPresented = true
        switch core.answer(request(current, upload: nil, connection)).kind {
        case .now(let response):
            return send(response, on: connection)
        case .ready(let prepared):
            return send(prepared, on: connection)
        case .later(let work):
            let exchange = makeExchange(connection)
            start(work, exchange, version: current.head.version)
            return proceed(exchange, connection)
        }
    }

    /// With the head alone; the body follows.
    private func presentEarly(_ connection: OpaquePointer) {
        guard let current else { return }
        let exchange = makeExchange(connection)
        let upload = UploadPump(for: exchange)
        current.upload = upload
        current.isPresented = true
        switch core.answer(request(current, upload: upload.makeBody(), connection)).kind {
        case .now(let response): current.early = response
        case .ready(let prepared): current.early = prepared.response
        case .later(let work): start(work, exchange, version: current.head.version)
        }
    }

    private func request(_ current: Current, upload: HTTPBody?, _ connection: OpaquePointer) -> ListenerRequest {
        var request = ListenerRequest(
            id: current.id, method: HTTPMethod(rawValue: ByteString(current.head.method)), target: target,
            version: current.head.version, fields: current.head.fields, body: current.body)
        request.upload = upload
        request.client = calotype_mhd_client_address(connection).flatMap(ClientAddress.init)
        return request
    }

    private func start(
        _ work: @escaping @Sendable (InterimResponder) async -> ListenerResponse, _ exchange: Exchange, version: String
    ) {
        let responder = InterimResponder(exchange, version: version)
        exchange.start { exchange.deliver(await work(responder)) }
    }

    private func proceed(_ exchange: Exchange, _ connection: OpaquePointer) -> MHD_Result {
        switch exchange.takeResponse() {
        case .response(let response): send(response, on: connection)
        case .suspended: .YES
        case .gone: .NO
        }
    }

    private func send(_ response: ListenerResponse, on connection: OpaquePointer) -> MHD_Result {
        var response = response
        if core.isDraining { response.closesConnection = true }
        let writer = ResponseWriter(response: response, isHead: current?.head.method == "HEAD")
        let queued = writer.queue(on: connection) { current?.exchange ?? makeExchange(connection) }
        if queued == nil { drop() }
        return queued ?? .NO
    }

    private func send(_ prepared: PreparedResponse, on connection: OpaquePointer) -> MHD_Result {
        guard current?.head.method != "HEAD", !core.isDraining, let queued = prepared.queue(on: connection) else {
            return send(prepared.response, on: connection)
        }
        return queued
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
        ended.upload?.fail()
        let known = ended.exchange?.end() ?? ended.outcome
        core.requestEnded()
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

extension RequestRefusal {
    fileprivate static func tooLarge(limit: Int) -> RequestRefusal {
        RequestRefusal("The body is larger than the limit of \(limit) bytes.", status: 413)
    }
}
