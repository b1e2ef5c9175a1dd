import CalotypeTesting
import Foundation
import Testing

@Suite struct GateTests {
    @Test func `a closed gate holds a task until it is opened`() async {
        let gate = Gate()
        let task = Task { await gate.wait() }
        await gate.waitForWaiters(1)
        #expect(gate.waiting == 1)
        gate.open()
        await task.value
        #expect(gate.waiting == 0)
    }

    @Test func `an open gate lets everybody pass until it is closed`() async {
        let gate = Gate(isOpen: true)
        await gate.wait()
        gate.close()
        let task = Task { await gate.wait() }
        await gate.waitForWaiters(1)
        gate.open()
        await task.value
    }

    @Test func `opening for two lets two of three pass`() async {
        let gate = Gate()
        let passed = Gate()
        for _ in 0..<3 {
            Task {
                await gate.wait()
                await passed.wait()
            }
        }
        await gate.waitForWaiters(3)
        gate.open(count: 2)
        await passed.waitForWaiters(2)
        #expect(gate.waiting == 1)
        gate.open()
        passed.open()
    }

    @Test func `what was granted before anybody came is used by those who come`() async {
        let gate = Gate()
        gate.open(count: 1)
        await gate.wait()
        let second = Task { await gate.wait() }
        await gate.waitForWaiters(1)
        gate.open(count: 1)
        await second.value
    }

    @Test func `a cancelled task leaves the gate, and uses up no place`() async {
        let gate = Gate()
        let task = Task { await gate.wait() }
        await gate.waitForWaiters(1)
        task.cancel()
        await task.value
        #expect(gate.waiting == 0)
        gate.open(count: 1)
        await gate.wait()
    }

    @Test func `a task that was cancelled before it came does not wait`() async {
        let gate = Gate()
        let arrived = Gate()
        let task = Task {
            await arrived.wait()
            await gate.wait()
        }
        task.cancel()
        await task.value
        #expect(gate.waiting == 0)
    }

    @Test func `a thread waits at the gate as a task does`() async {
        let gate = Gate()
        let passed = Gate()
        Thread.detachNewThread {
            gate.waitBlocking()
            passed.open()
        }
        await gate.waitForWaiters(1)
        gate.open(count: 1)
        await passed.wait()
    }
}
