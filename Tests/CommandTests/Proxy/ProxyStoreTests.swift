import Calotype
import CalotypeServer
import CalotypeTesting
import Foundation
import Testing

@testable import calotype_command

/// The folder of a proxy's store.
struct ProxyStoreTests {
    @Test func `no proxy keeps its store on a network file system, and nothing is made there`() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "calotype-proxy-\(UUID().uuidString)").path
        let upstream = ProxyUpstream(
            FakeTransport(body: Data()), mode: .shared, disk: DiskStore(directory: folder))
        let share = try #require(NetworkFileSystem(NetworkFileSystem.Status(type: 0xFE53_4D42)))
        let problem = await upstream.storeProblem(networkFileSystem: { $0 == folder ? share : nil })
        #expect(problem?.contains("--store \(folder) is on a network file system, SMB") == true, "\(problem ?? "")")
        #expect(!FileManager.default.fileExists(atPath: folder))
        #expect(await upstream.storeProblem(networkFileSystem: { _ in nil }) == nil)
        await upstream.close()
        try FileManager.default.removeItem(atPath: folder)
    }
}
