import CalotypeListener
import CalotypeTesting
import TestSupport
import Foundation
import Testing

@testable import calotype_command

struct ServiceNotifierTests {
    private let complaints = Log<String>()

    private func notifier(_ environment: [String: String], process: pid_t = 7) -> ServiceNotifier {
        ServiceNotifier(environment, process: process) { [complaints] in complaints.add($0) }
    }

    @Test(arguments: [false, true])
    func `the manager gets each state as one datagram`(isAbstract: Bool) throws {
        let manager = try NotifyReceiver(isAbstract: isAbstract)
        let notifier = notifier(["NOTIFY_SOCKET": manager.name])
        notifier.ready("listening on http://127.0.0.1:8080")
        #expect(manager.next() == ["READY=1", "STATUS=listening on http://127.0.0.1:8080"])
        notifier.reloading()
        let reload = manager.next()
        #expect(reload.first == "RELOADING=1" && reload.count == 2)
        #expect(reload.last.flatMap { Int($0.dropFirst("MONOTONIC_USEC=".count)) } ?? 0 > 0)
        notifier.stopping()
        #expect(manager.next() == ["STOPPING=1"])
        #expect(complaints.entries == [])
    }

    @Test func `signs of life come at half the manager's interval, each after a pass through the service`() async throws
    {
        let manager = try NotifyReceiver()
        let clock = ManualClock()
        let notifier = notifier(["NOTIFY_SOCKET": manager.name, "WATCHDOG_USEC": "3000000", "WATCHDOG_PID": "7"])
        #expect(notifier.interval == .milliseconds(1500))
        let pulses = Log<Int>()
        let life = Task { await notifier.showLife(clock: clock) { pulses.add(1) } }
        for number in 1...3 {
            #expect(manager.next() == ["WATCHDOG=1"])
            #expect(pulses.count == number)
            await clock.waitForSleepers(1)
            clock.advance(by: .milliseconds(1500))
        }
        life.cancel()
        await life.value
    }

    @Test func `a listener whose thread hangs gives no sign of life`() async throws {
        let manager = try NotifyReceiver()
        let notifier = notifier(["NOTIFY_SOCKET": manager.name, "WATCHDOG_USEC": "3000000"])
        let (entered, release) = (Gate(), DispatchSemaphore(value: 0))
        let events = Log<String>()
        let listener = try Listener(answer: { _ in
            entered.open()
            release.wait()
            events.add("handled")
            return .now(ListenerResponse())
        })
        let client = try RawClient(port: listener.port)
        try client.get("/")
        await entered.wait()
        let life = Task { await notifier.showLife(clock: ManualClock()) { await listener.pulse() } }
        release.signal()
        #expect(manager.next() == ["WATCHDOG=1"])
        #expect(events.entries == ["handled"])
        life.cancel()
        await life.value
        listener.stop()
    }

    @Test(arguments: [
        ["WATCHDOG_USEC": "3000000", "WATCHDOG_PID": "8"], ["WATCHDOG_USEC": "soon"], ["WATCHDOG_USEC": "0"], [:],
    ])
    func `no sign of life is sent if the manager expects none of this process`(environment: [String: String])
        async throws
    {
        let manager = try NotifyReceiver()
        let notifier = notifier(environment.merging(["NOTIFY_SOCKET": manager.name]) { $1 })
        #expect(notifier.interval == nil)
        await notifier.showLife { Issue.record("a pulse was asked for") }
        notifier.stopping()
        #expect(manager.next() == ["STOPPING=1"])
    }

    @Test(arguments: [
        ("relative", "expected an absolute path of at most 107 bytes"),
        ("/" + String(repeating: "n", count: 107), "expected an absolute path of at most 107 bytes"),
        ("vsock:2:1234", "expected an absolute path"), ("/no/such/socket", "NOTIFY_SOCKET: No such file"),
    ])
    func `a socket that cannot be used is reported, and the service goes on`(name: String, problem: String) {
        notifier(["NOTIFY_SOCKET": name]).ready("ready")
        #expect(complaints.count == 1 && complaints.entries[0].contains(problem), "\(complaints.entries)")
    }

    @Test func `without a manager nothing is sent and nothing reported`() async {
        let notifier = notifier(["WATCHDOG_USEC": "3000000"])
        notifier.ready("ready")
        await notifier.showLife { Issue.record("a pulse was asked for") }
        #expect(complaints.entries == [])
    }
}
