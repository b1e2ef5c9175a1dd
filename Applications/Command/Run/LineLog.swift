import CalotypeBase
import Foundation

/// The end of a file, to which lines are added. A line survives the end of the process at once, and that of the machine
/// after a few seconds.
final class LineLog: Sendable {
    private static let pause = Duration.seconds(5)

    private let stream: Stream
    private let path: LocalPath
    private let synced = Locked(ContinuousClock.now)

    init(_ path: LocalPath) throws(FileError) {
        // A link in the folder must not lead the lines elsewhere.
        let descriptor = path.withCString {
            open($0, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o666)
        }
        guard descriptor >= 0 else { throw FileError("cannot write \(path)", errno) }
        stream = Stream(descriptor: descriptor)
        self.path = path
    }

    deinit { close(stream.descriptor) }

    /// - Parameter line: A line without a line feed.
    func add(_ line: String) throws(FileError) {
        // The line feed comes first: the line before may be incomplete.
        do throws(FileError) { try stream.write("\n\(line)") } catch {
            throw FileError("cannot write \(path)", error.number)
        }
        let isDue = synced.withLock { last in
            guard ContinuousClock.now - last >= LineLog.pause else { return false }
            last = .now
            return true
        }
        if isDue { fdatasync(stream.descriptor) }
    }
}
