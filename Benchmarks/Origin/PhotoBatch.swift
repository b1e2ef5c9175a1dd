import CalotypeTesting
import Foundation

/// A folder of JPEGs of 2 to 12 megapixels, from which programs make thumbnails 400 pixels wide.
///
/// Ten different photographs, some of them upright, have as many names as wanted, so that each ten files are alike.
struct PhotoBatch {
    let count: Int
    private let scratch: ScratchDirectory

    /// - Parameter count: The number of files, a multiple of ten.
    init(count: Int) throws {
        try self.init(Self.photographs, count: count)
    }

    /// Creates a folder with one image of 16 × 12 pixels, for the time that a program takes to start.
    static func dot() throws -> PhotoBatch { try PhotoBatch([SamplePhotos.jpeg(width: 16, height: 12)], count: 1) }

    private init(_ photos: [Data], count: Int) throws {
        self.count = count
        scratch = try ScratchDirectory()
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for (index, photo) in photos.enumerated() {
            let first = "\(folder)/photo-\(index).jpg"
            try photo.write(to: URL(fileURLWithPath: first))
            for number in stride(from: index + photos.count, to: count, by: photos.count) {
                guard link(first, "\(folder)/photo-\(number).jpg") == 0 else {
                    throw BenchError("a file cannot have another name")
                }
            }
        }
    }

    private static let photographs = (0..<10).map { kind in
        let (long, short) = sides(kind)
        return kind % 3 == 2
            ? SamplePhotos.jpeg(width: short, height: long, seed: kind + 1)
            : SamplePhotos.jpeg(width: long, height: short, seed: kind + 1)
    }

    private var folder: String { "\(scratch.path)/photographs" }

    private static func sides(_ kind: Int) -> (long: Int, short: Int) {
        let megapixels = 2 + 10 * Double(kind) / 9
        let short = (megapixels * 1e6 * 3 / 4).squareRoot()
        return (Int(short * 4 / 3), Int(short))
    }

    /// The time of a process from its start to its end, and its processor time, in seconds.
    struct Cost {
        let wall: Double
        let processor: Double
    }

    /// Makes all thumbnails by `calotype resize`.
    func resize() throws -> Cost {
        let here = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        return try cost { results in
            (here.appending(path: "calotype").path, ["resize", folder, "--output", results, "--size", "400"])
        }
    }

    /// Makes all thumbnails by a Python program.
    func run(_ program: PythonThumbnails) throws -> Cost {
        try cost { (program.interpreter, ["-c", program.script, folder, $0]) }
    }

    /// Runs a program that writes into a new folder, which is deleted afterwards.
    private func cost(_ command: (_ results: String) -> (program: String, arguments: [String])) throws -> Cost {
        let results = "\(scratch.path)/results"
        let (program, arguments) = command(results)
        try FileManager.default.createDirectory(atPath: results, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: results) }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        let (begun, start) = (Self.processorSecondsOfChildren, ContinuousClock.now)
        try process.run()
        process.waitUntilExit()
        let wall = (ContinuousClock.now - start) / .seconds(1)
        let made = try FileManager.default.contentsOfDirectory(atPath: results).count
        guard process.terminationStatus == 0, made == count else {
            throw BenchError("\(program) made \(made) of \(count) thumbnails")
        }
        return Cost(wall: wall, processor: Self.processorSecondsOfChildren - begun)
    }

    /// The processor time of all children of this process that have ended, and of theirs, in seconds.
    private static var processorSecondsOfChildren: Double {
        var spent = tms()
        _ = times(&spent)
        return Double(spent.tms_cutime + spent.tms_cstime) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }
}
