#if GTK
    import CGTK4
    import CalotypeGTK
    import Foundation
    import Requirements
    import Testing
    import Waiting

    @MainActor
    @Suite(.timeLimit(.minutes(1))) struct MainQueueTests {
        @Test(.requirement("D2.5"))
        func `tasks of the main actor run on the process's main thread, inside GLib's loop`() async {
            #expect(Thread.isMainThread)
            await Task.detached {}.value
            #expect(Thread.isMainThread)
        }

        @Test func `10,000 hops to the main actor and back arrive`() async {
            let count = await Task.detached {
                var count = 0
                for _ in 0..<10_000 { count += await MainActor.run { Thread.isMainThread ? 1 : 0 } }
                return count
            }.value
            #expect(count == 10_000)
        }

        @Test func `a main actor that is never idle does not keep windows from being painted`() async {
            let window = TestWindow(gtk_label_new("busy"))
            await waitUntil { window.frames > 0 }
            window.close()
        }

        @Test func `a task that sleeps wakes up`() async throws {
            try await Task.sleep(for: .milliseconds(1))
            #expect(Thread.isMainThread)
        }
    }
#endif
