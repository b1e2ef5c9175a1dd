import CalotypeBase
import Foundation
import Testing

@testable import CalotypeServer

/// A store on a network file system.
struct NetworkStoreTests {
    private let folder = TemporaryFolder()

    private func options(_ found: @escaping @Sendable (String) -> NetworkFileSystem?) throws -> ServerSetup {
        try FileManager.default.createDirectory(atPath: "\(folder.path)/root", withIntermediateDirectories: true)
        var options = ServerSetup(root: "\(folder.path)/root")
        options.store = "\(folder.path)/store"
        options.networkFileSystem = found
        return options
    }

    @Test(arguments: ["", "/sources", "/results"])
    func `no server keeps its store on a network file system, and nothing is made there`(part: String) throws {
        let options = try options { [path = folder.path] in
            $0 == "\(path)/store\(part)" ? NetworkFileSystem(NetworkFileSystem.Status(type: 0x6969)) : nil
        }
        #expect {
            _ = try RenditionServer(options)
        } throws: { error in
            "\(error)".contains("--store \(folder.path)/store is on a network file system, NFS")
                && "\(error)".contains("choose a folder on a disk of this machine")
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["root"])
    }

    @Test func `a server on a disk asks about each folder of its store`() async throws {
        let asked = Locked<[String]>([])
        let server = try RenditionServer(
            options { path in
                asked.withLock { $0.append(path) }
                return nil
            })
        await server.close()
        #expect(asked.withLock { $0 } == ["", "/sources", "/results"].map { "\(folder.path)/store\($0)" })
    }
}
