import CMicroHTTPD
import Foundation

/// Owns the library's daemon, its threads, and its callbacks' way back to us.
// Unchecked: the pointer is used by `init`, and by the one call of `stop()` that `Listener` makes.
final class RunningDaemon: @unchecked Sendable {
    private let pointer: OpaquePointer
    private let core: ListenerCore
    private let closure: Unmanaged<ListenerCore>
    let port: Int

    init(core: ListenerCore, address: SocketAddress) throws(ListenerError) {
        try core.startWatching()
        let closure = Unmanaged.passRetained(core)
        let limits = calotype_mhd_limits(
            threads: UInt32(core.options.threads), connections: UInt32(core.options.connectionLimit),
            idle_seconds: UInt32(core.options.idleSeconds), connection_memory: core.options.headerMemory)
        let callbacks = calotype_mhd_callbacks(
            closure: closure.toOpaque(), handle: handleRequest, note_target: noteTarget, request_ended: requestEnded,
            connection_changed: connectionChanged)
        errno = 0
        guard let started = address.withPointer({ calotype_mhd_start($0, callbacks, limits) }) else {
            let reason = errno == 0 ? "the listener did not start" : String(cString: strerror(errno))
            core.stopWatching()
            closure.release()
            throw ListenerError(.cannotListen, "cannot listen on \(address.host) port \(address.port): \(reason)")
        }
        pointer = started
        port = Int(calotype_mhd_port(started))
        self.core = core
        self.closure = closure
    }

    /// The order matters: the library aborts the process when it is stopped with a connection suspended.
    ///
    /// It need not be quiesced first: after `stopWaiting()` no handler's answer is waited for any more, whoever connects.
    func stop() {
        core.stopWaiting()
        // A handler that stops its own listener, or lets it go, would wait for its own thread.
        if core.isOnLibraryThread { Thread.detachNewThread { self.end() } } else { end() }
    }

    /// Takes no more connections. Those that are open stay.
    func quiesce() {
        let socket = MHD_quiesce_daemon(pointer)
        if socket >= 0 { close(socket) }
    }

    private func end() {
        MHD_stop_daemon(pointer)
        core.stopWatching()
        closure.release()
    }
}

// MARK: What the library calls, on its threads

private func connection(_ raw: UnsafeMutableRawPointer?) -> ListenerConnection? {
    raw.map { Unmanaged<ListenerConnection>.fromOpaque($0).takeUnretainedValue() }
}

private let connectionChanged: MHD_NotifyConnectionCallback = { closure, _, context, code in
    guard let closure, let context else { return }
    let core = Unmanaged<ListenerCore>.fromOpaque(closure).takeUnretainedValue()
    if code == .CONNECTION_NOTIFY_STARTED {
        core.connectionOpened(on: pthread_self())
        context.pointee = Unmanaged.passRetained(ListenerConnection(core)).toOpaque()
    } else if let raw = context.pointee {
        context.pointee = nil
        Unmanaged<ListenerConnection>.fromOpaque(raw).release()
        core.connectionClosed()
    }
}

private let noteTarget:
    @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>?, OpaquePointer?) -> UnsafeMutableRawPointer? = {
        _, target, handle in
        guard let handle, let target else { return nil }
        let context = calotype_mhd_socket_context(handle)
        connection(context)?.begin(target: String(cString: target))
        // Comes back as the request's own context in the two callbacks below.
        return context
    }

private let handleRequest: MHD_AccessHandlerCallback = { _, handle, _, method, version, upload, size, context in
    guard let handle, let method, let version, let size, let connection = connection(context?.pointee) else {
        return .NO
    }
    let bytes = UnsafeRawBufferPointer(start: upload, count: upload == nil ? 0 : size.pointee)
    let (result, isTaken) = connection.handle(handle, line: (method, version), upload: bytes)
    // What is left is offered again, once the connection goes on.
    if isTaken { size.pointee = 0 }
    return result
}

private let requestEnded: MHD_RequestCompletedCallback = { _, _, context, code in
    connection(context?.pointee)?.end(code)
}
