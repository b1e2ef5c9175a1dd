import Foundation

/// Pillow's LANCZOS filter in a Python process, which measures its own processor time.
final class Pillow {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()

    private static let script = """
        import sys, time
        from PIL import Image
        width, height, new_width, new_height = (int(word) for word in sys.argv[1:5])
        image = Image.effect_noise((width, height), 80).convert("RGB")
        print("ready", flush=True)
        for line in sys.stdin:
            start = time.process_time()
            image.resize((new_width, new_height), Image.LANCZOS)
            print(time.process_time() - start, flush=True)
        """

    /// Starts the process. Returns `nil` if there is no Python with Pillow.
    init?(from size: (width: Int, height: Int), to newSize: (width: Int, height: Int)) {
        process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        process.arguments =
            ["-c", Self.script] + [size.width, size.height, newSize.width, newSize.height].map(String.init)
        process.standardInput = input
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil, (try? output.fileHandleForReading.readLine()) == "ready" else { return nil }
    }

    deinit {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    /// Scales once, and returns the processor time in seconds.
    func resize() throws -> Double {
        try input.fileHandleForWriting.write(contentsOf: Data("\n".utf8))
        guard let seconds = Double(try output.fileHandleForReading.readLine()) else {
            throw BenchError("Pillow gave no figure")
        }
        return seconds
    }
}
