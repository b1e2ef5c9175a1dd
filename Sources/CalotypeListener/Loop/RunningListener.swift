import CalotypeConcurrency
import Foundation
import Glibc

/// A listener's threads, from their start to their end.
final class RunningListener: Sendable {
    let port: Int
    let core: ListenerCore
    private let threads = DispatchGroup()

    init(
        _ options: Listener.Options, _ address: SocketAddress,
        answer: @escaping @Sendable (ListenerRequest) -> ListenerAnswer
    ) throws(ListenerError) {
        let socket = try ListeningSocket(address)
        port = socket.port
        var loops: [EventLoop] = []
        for _ in 0..<options.threads { loops.append(try EventLoop()) }
        core = ListenerCore(options: options, loops: loops, answer: answer)
        var served: [LoopThread] = []
        for loop in loops { served.append(try LoopThread(loop, core: core)) }
        served[0].accept(from: socket)
        for (index, thread) in served.enumerated() { start(thread, number: index + 1) }
    }

    private func start(_ thread: LoopThread, number: Int) {
        let box = ThreadBox(thread)
        threads.enter()
        let thread = Thread { [threads] in
            box.thread.run()
            threads.leave()
        }
        thread.name = "calotype-listener-\(number)"
        thread.start()
    }

    /// Takes no more connections; returns when that is so.
    func stopAccepting() async {
        await withCheckedContinuation { continuation in
            if !core.loops[0].post(.stopAccepting(done: { continuation.resume() })) { continuation.resume() }
        }
    }

    func stop() {
        for loop in core.loops { loop.post(.stop) }
        // A handler that stops its own listener, or releases it, would wait for its own thread.
        if !core.isOnLoopThread { threads.wait() }
    }
}

// Unchecked: made by one thread, which hands it to another and does not use it any more.
private final class ThreadBox: @unchecked Sendable {
    let thread: LoopThread

    init(_ thread: LoopThread) { self.thread = thread }
}
