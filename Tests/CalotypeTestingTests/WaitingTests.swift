import Testing
import Waiting

@Suite struct WaitingTests {
    @Test(arguments: [false, true])
    func `a state that is not reached in time fails the test, and its other waits end`(isAsynchronous: Bool) async {
        await withKnownIssue {
            // A separate task, because the limit cancels the task that waits.
            let isCancelled = await Task {
                if isAsynchronous {
                    await repeatUntil(within: .zero) { false }
                } else {
                    await waitUntil(within: .zero) { false }
                }
                return Task.isCancelled
            }.value
            #expect(isCancelled)
        } matching: { issue in
            issue.comments.contains { $0.rawValue == "the state was not reached within 0.0 seconds" }
        }
    }

    @Test func `a cancelled task waits for nothing`() async {
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            await waitUntil { false }
            await repeatUntil { false }
        }
        task.cancel()
        await task.value
    }
}
