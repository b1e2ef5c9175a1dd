import CalotypeBase
import CalotypeTesting
import TestSupport
import Foundation
import Testing

@testable import calotype_command

/// Folders that cannot be read, below a folder that can.
struct UnreadFolderTests {
    // Removed before the folder that contains them.
    private let unreadable: [UnreadableFolder]
    private let calotype: Calotype

    init() throws {
        let calotype = try Calotype()
        for name in ["in/a.jpg", "in/z/b.jpg"] { try calotype.write(Pictures.jpeg(), to: name) }
        unreadable = try ["in/k", "in/m"].map { folder in
            try calotype.path(LocalPath(text: folder)).makeFolder()
            return UnreadableFolder(below: calotype.path(LocalPath(text: folder)).description)
        }
        self.calotype = calotype
    }

    @Test(arguments: [
        "calotype resize in -o out", "calotype info in", "calotype info --table in",
        "calotype demo --photos in --sheet sheet.png",
    ])
    func `each folder that cannot be read is one line, and the status is 1`(_ line: String) async throws {
        let ending = try await calotype.shell(line)
        #expect(ending.status == 1)
        #expect(ending.errorLines.count == 2, "\(ending.errors)")
        for (folder, line) in zip(["in/k/", "in/m/"], ending.errorLines) {
            #expect(line.hasPrefix("calotype: \(folder)"))
            #expect(line.hasSuffix(": the folder cannot be read: File name too long"))
        }
    }

    @Test func `the other images are made, and --json names the folders`() async throws {
        let ending = try await calotype.shell("calotype resize in -o out --json")
        #expect(ending.status == 1)
        #expect(ending.lines.count == 4)
        #expect(ending.lines.count { $0.contains(#""code":"fileUnreadable""#) } == 2)
        #expect(calotype.path("out/a.jpg").exists && calotype.path("out/z/b.jpg").exists)
    }

    @Test func `without an image beside it, a folder that cannot be read is still a failure, not a wrong command`()
        async throws
    {
        let ending = try await calotype.shell("rm in/a.jpg in/z/b.jpg; calotype info in")
        #expect(ending.status == 1)
        #expect(ending.errorLines.count == 2)
    }

    @Test(.enabled("only root can drop its rights") { geteuid() == 0 })
    func `a folder without permission is one, too`() async throws {
        let ending = try await calotype.shell(
            """
            rm -rf in/k in/m; mkdir in/private; chmod 700 in/private; chmod 755 ..
            setpriv --reuid 65534 --clear-groups --inh-caps=-all "$command" info in
            """)
        // The command itself may lie in a folder that only root enters.
        guard !ending.errors.contains("setpriv:") else { return }
        #expect(ending.status == 1)
        #expect(ending.errors == "calotype: in/private: the folder cannot be read: Permission denied\n")
    }
}
