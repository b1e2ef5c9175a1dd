import CalotypeBase
import Foundation
import Glibc

/// The running threads of a listener.
final class RunningListener: Sendable {
    let port: Int
    let core: ListenerCore
    private let threads = DispatchGroup()

    init(
        _ options: Listener.Options, _ address: SocketAddress,
        answer: @escaping @Sendable (ListenerRequest) -> ListenerAnswer
    ) throws(ListenerError) {
        let socket = try ListeningSocket.open(options, at: address)
        port = socket.port
        var loops: [EventLoop] = []
        for _ in 0..<options.threads { loops.append(try EventLoop()) }
        core = ListenerCore(options: options, loops: loops, answer: answer)
        do throws(ListenerError) {
            for (number, loop) in loops.enumerated().dropFirst() { try start(LoopThread(loop, core: core), number) }
            let accepting = try LoopThread(loops[0], core: core)
            try accepting.accept(from: socket)
            try start(accepting, 0)
        } catch {
            stop()
            throw error
        }
    }

    private func start(_ loop: sending LoopThread, _ number: Int) throws(ListenerError) {
        threads.enter()
        let isRunning = startThread(named: "calotype-io-\(number)") { [threads] in
            loop.run()
            threads.leave()
        }
        guard isRunning else {
            threads.leave()
            throw ListenerError(.cannotListen, "the system cannot create a thread")
        }
    }

    /// Stops accepting connections, and waits until every thread has read the requests of the clients accepted before.
    func stopAccepting() async {
        // The accepting thread is the first one. When it is done, the others have a message for each of their clients.
        await passThroughLoops { .stopAccepting(done: $0) }
    }

    /// Returns when each thread has handled a message.
    func pulse() async {
        await passThroughLoops { .pulse(done: $0) }
    }

    /// Has one thread after the other handle a message. A thread that has ended handles none.
    private func passThroughLoops(_ message: (@escaping @Sendable () -> Void) -> EventLoop.Message) async {
        for loop in core.loops {
            await withCheckedContinuation { continuation in
                if !loop.post(message({ continuation.resume() })) { continuation.resume() }
            }
        }
    }

    func stop() {
        for loop in core.loops { loop.post(.stop) }
        // A handler that stops or releases its own listener would wait for its own thread.
        if !core.isOnLoopThread { threads.wait() }
    }
}
