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
        let socket = try ListeningSocket(address)
        port = socket.port
        var loops: [EventLoop] = []
        for _ in 0..<options.threads { loops.append(try EventLoop()) }
        core = ListenerCore(options: options, loops: loops, answer: answer)
        do throws(ListenerError) {
            for (number, loop) in loops.enumerated().dropFirst() { try start(LoopThread(loop, core: core), number) }
            let accepting = try LoopThread(loops[0], core: core)
            accepting.accept(from: socket)
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

    /// Stops accepting connections, and waits until that is done.
    func stopAccepting() async {
        await withCheckedContinuation { continuation in
            if !core.loops[0].post(.stopAccepting(done: { continuation.resume() })) { continuation.resume() }
        }
    }

    func stop() {
        for loop in core.loops { loop.post(.stop) }
        // A handler that stops or releases its own listener would wait for its own thread.
        if !core.isOnLoopThread { threads.wait() }
    }
}
