import CalotypeBase
import CalotypeStore
import Foundation
import Testing

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The file of lines under the purges, on a disk without room.
struct LineFileTests {
    private let folder = TemporaryFolder()

    // A file of the largest size, a few bytes short, takes the beginning of a line alone, as a full disk does.
    @Test func `a line that the disk has no room for leaves no part of it`() throws {
        try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
        let path = "\(folder.path)/lines"
        try Data().write(to: URL(fileURLWithPath: path))
        let size = try #require(largestSize(of: path)) - 5
        #expect(truncate(path, off_t(size)) == 0)
        let file = LineFile(path)
        #expect(throws: StoreError.self) {
            try file.append(Data("a line of bytes\n".utf8)) { Issue.record("the line was taken for written") }
        }
        #expect(try file.version()?.size == size)
        try file.append(Data("line\n".utf8)) {}
        #expect(try file.version()?.size == size + 5)
    }

    /// Returns the largest size that the file can have; `nil` if it cannot grow.
    private func largestSize(of path: String) -> Int? {
        var (possible, impossible) = (0, Int.max)
        while impossible - possible > 1 {
            let middle = possible + (impossible - possible) / 2
            if truncate(path, off_t(middle)) == 0 { possible = middle } else { impossible = middle }
        }
        return possible > 5 ? possible : nil
    }
}
