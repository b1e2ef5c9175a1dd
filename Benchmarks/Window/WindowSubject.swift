import Foundation

/// A measurement that a child process makes in a GTK window. The raw value is the child's argument and the result's
/// name.
enum WindowSubject: String, Sendable {
    case bindHit = "bind-hit"
    case bindMiss = "bind-miss"
    case scroll
    case scrollPhotos = "scroll-photos"
    case scrollPhotosWork = "scroll-photos-work"
    case scrollPhotosMemory = "scroll-photos-memory"
}

#if GTK
    import CalotypeGTK

    extension WindowSubject {
        /// Measures on the main thread, prints our figure and the baseline for each sample, and ends the process.
        @MainActor
        func measure(isQuick: Bool) -> Never {
            guard MainLoop.start() else {
                say("there is no display: run this by Scripts/bench, or xvfb-run")
                exit(1)
            }
            let status = MainLoop.run {
                Task {
                    do {
                        switch self {
                        case .bindHit: try await BindHit().measure(pairs: isQuick ? 7 : 21, say)
                        case .bindMiss: try await BindMiss().measure(batches: 9, say)
                        case .scroll: try await Scroll().measure(runs: isQuick ? 2 : 5, say)
                        case .scrollPhotos: say("\(try await ScrollPhotos().measure().stall * 1000) 16")
                        case .scrollPhotosWork: say("\(try await ScrollPhotos().measure().work * 1000) 16")
                        case .scrollPhotosMemory: say("\(try await ScrollPhotos().measure().memory) 400")
                        }
                        say("end")
                        MainLoop.quit(0)
                    } catch {
                        say("\(error)")
                        MainLoop.quit(1)
                    }
                }
            }
            exit(status)
        }

        private func say(_ line: String) {
            FileHandle.standardOutput.write(Data((line + "\n").utf8))
        }
    }
#else
    extension WindowSubject {
        @MainActor
        func measure(isQuick: Bool) -> Never { exit(1) }
    }
#endif
