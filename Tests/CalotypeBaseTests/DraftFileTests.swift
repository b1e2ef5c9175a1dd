import CalotypeBase
import Foundation
import Testing

/// A new file that is complete or absent.
struct DraftFileTests {
    private let folder = LocalPath(text: FileManager.default.temporaryDirectory.path)

    private func fill(_ descriptor: Int32, _ bytes: [UInt8], while goesOn: () -> Bool = { true }) -> Int32? {
        bytes.withUnsafeBytes { bytes in
            do throws(SystemError) {
                try DraftFile(in: folder).fill(descriptor, with: bytes, while: goesOn)
                return nil
            } catch {
                return error.number
            }
        }
    }

    @Test func `a full disk fails the write`() throws {
        let descriptor = open("/dev/full", O_WRONLY | O_CLOEXEC)
        try #require(descriptor >= 0)
        #expect(fill(descriptor, [1, 2, 3]) == ENOSPC)
    }

    @Test func `a write that is told to end goes no further than a MiB`() throws {
        let draft = DraftFile(in: folder)
        defer { draft.remove() }
        var calls = 0
        let failure = fill(try draft.create(), [UInt8](repeating: 7, count: 3 << 20)) {
            calls += 1
            return calls < 2
        }
        #expect(failure == ECANCELED)
        let size = try FileManager.default.attributesOfItem(atPath: draft.path.description)[.size] as? Int
        #expect(size == 1 << 20)
    }

    @Test func `an existing file keeps its name unless the draft replaces it`() throws {
        let (old, new) = (DraftFile(in: folder), DraftFile(in: folder))
        let file = folder.appending(name: "calotype-draft-\(UUID().uuidString)")
        defer {
            for path in [old.path, new.path, file] { unlink(path.description) }
        }
        for (draft, byte) in [(old, UInt8(1)), (new, 2)] { #expect(fill(try draft.create(), [byte]) == nil) }
        try old.publish(as: file)
        #expect(throws: SystemError(EEXIST)) { try new.publish(as: file) }
        #expect(FileManager.default.contents(atPath: file.description) == Data([1]))
        try new.replace(file)
        #expect(FileManager.default.contents(atPath: file.description) == Data([2]))
    }
}
