import Calotype
import CalotypeCodecs
import CalotypeUI
import Foundation

// The cost of animation: a GIF of 1,000 × 1,000 pixels, each frame of which covers the whole canvas.

extension Scenario {
    static let gifPlay = Scenario(
        name: "gif-play", summary: "a GIF of 1,000 × 1,000 pixels, every frame as pixels to be shown"
    ) { bench in
        let data = try DrawnGIF.make(frames: bench.isQuick ? 10 : 40, side: 1000)
        try await bench.compare(
            "gif-play", with: "giflib decoding alone", unit: "ms", bar: .atMost(1.5), pairs: bench.isQuick ? 5 : 15
        ) {
            try processorSeconds {
                guard let animation = try DecoderRegistry.standard.animation(for: data) else {
                    throw BenchError("the GIF does not move")
                }
                for index in 0..<animation.frameCount { _ = try animation.frame(at: index) }
            } * 1e3
        } baseline: {
            try processorSeconds { try BareGIF.decode(data) } * 1e3
        }
    }

    static let gifFirstFrame = Scenario(
        name: "gif-first-frame", summary: "the first of 500 frames of 1,000 × 1,000 pixels, from bytes to pixels"
    ) { bench in
        let animated = try DrawnGIF.make(frames: bench.isQuick ? 100 : 500, side: 1000)
        let still = try DrawnGIF.make(frames: 1, side: 1000)
        try await bench.compare(
            "gif-first-frame", with: "a GIF of that frame alone", unit: "ms", bar: .atMost(1.5),
            pairs: bench.isQuick ? 9 : 21
        ) {
            try processorSeconds { _ = try DecoderRegistry.standard.plan(for: animated).decode() } * 1e3
        } baseline: {
            try processorSeconds { _ = try DecoderRegistry.standard.plan(for: still).decode() } * 1e3
        }
    }

    static let gifMemory = Scenario(
        name: "gif-memory",
        summary: "memory beside the file's bytes, and skipped frames, while a view plays 25 a second"
    ) { bench in
        let player = try ChildProcess(.animation(frames: bench.isQuick ? 100 : 500))
        let figures = try player.readLine().split(separator: " ").compactMap { Double($0) }
        guard figures.count == 2 else { throw BenchError("the player gave no figures") }
        bench.report("gif-memory", with: "limit", unit: "MB", bar: .atMost(1), [(figures[0] / 1e6, 60)])
        // Both numbers are increased by one, because a ratio needs a baseline above 0.
        bench.report("gif-skipped", with: "no frame, and one", unit: "", bar: .atMost(1), [(figures[1] + 1, 1)])
    }
}

/// Plays an animation at the file's speed in a view without a window. Runs in a child process, whose memory is
/// measured.
enum AnimationPlaying {
    @MainActor
    static func play(frames: Int) async throws {
        let url = URL(
            fileURLWithPath: NSTemporaryDirectory() + "calotype-\(ProcessInfo.processInfo.processIdentifier).gif")
        try DrawnGIF.make(frames: frames, side: 1000).write(to: url)
        defer { try? FileManager.default.removeItem(at: url) }
        let data = try Data(contentsOf: url)
        let before = try residentKilobytes(peak: false)
        // On Linux, writing 5 to this file resets the peak.
        try "5".write(toFile: "/proc/self/clear_refs", atomically: false, encoding: .utf8)
        let loader = ImageLoader(.ephemeral)
        var skipped = 0
        let binder = ImageBinder(RemoteImageOptions(loader: loader))
        binder.show(ImageRequest(source: .data(data)))
        let end = ContinuousClock.now + .seconds(frames / 25)
        while ContinuousClock.now < end {
            try await Task.sleep(for: .milliseconds(100))
            skipped = binder.skippedFrames
        }
        let peak = try residentKilobytes(peak: true)
        FileHandle.standardOutput.write(Data("\((peak - before) * 1024) \(skipped)\n".utf8))
        withExtendedLifetime(data) {}
    }
}
