#if GTK
    import Foundation

    extension Scenario {
        /// The scenarios in a window, measured in a separate process because GTK needs the main thread.
        static let inWindows: [Scenario] = [
            Scenario(name: "bind-hit", summary: "10,000 cells bound to pictures in memory, on the main thread") {
                bench in
                try inWindow(bench, .bindHit, with: "a ready GdkTexture + 2 µs", unit: "µs", bar: .atMost(1))
            },
            Scenario(name: "bind-miss", summary: "the main thread's time to start a load") { bench in
                try inWindow(bench, .bindMiss, with: "an empty Task", unit: "µs", bar: .atMost(4))
            },
            Scenario(name: "scroll", summary: "1,000 rows at 60 Hz: the longest stall of the main thread") { bench in
                try inWindow(bench, .scroll, with: "plain boxes + 8 ms, at most 16", unit: "ms", bar: .atMost(1))
            },
            Scenario(name: "scroll-photos", summary: "10,000 photographs in the gallery: stalls, work, memory") {
                bench in
                try inWindow(bench, .scrollPhotos, with: "16 ms", unit: "ms", bar: .atMost(1))
                try inWindow(bench, .scrollPhotosWork, with: "16 ms", unit: "ms", bar: .atMost(1))
                try inWindow(bench, .scrollPhotosMemory, with: "400 MB", unit: "MB", bar: .atMost(1))
            },
        ]

        private static func inWindow(
            _ bench: Bench, _ subject: WindowSubject, with baseline: String, unit: String, bar: Bar
        ) throws {
            let child = try ChildProcess(.window(subject, isQuick: bench.isQuick))
            var samples: [(ours: Double, baseline: Double)] = []
            while case let line = try child.readLine(), line != "end" {
                let words = line.split(separator: " ")
                guard words.count == 2, let ours = Double(words[0]), let baseline = Double(words[1]) else {
                    throw BenchError(line)
                }
                samples.append((ours, baseline))
            }
            bench.report(subject.rawValue, with: baseline, unit: unit, bar: bar, samples)
        }
    }
#else
    extension Scenario {
        /// Empty, because these scenarios need GTK.
        static let inWindows: [Scenario] = []
    }
#endif
