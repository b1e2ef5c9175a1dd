import CalotypeBase
import CalotypeCodecs
import CalotypeStore
import CalotypeTesting
import Foundation
import Requirements
import Testing

@testable import CalotypeServer

/// A folder of results that is damaged, full, unusable or shared.
struct StoreDamageTests {
    private let folder = TemporaryFolder()
    private let photo = SamplePhotos.jpeg(width: 800, height: 600)
    /// Of a few KB (in the index), of more than 32 KiB (a file), and of more than 256 KiB (sent from the file).
    private static let widths = [40, 300, 800]

    private func server(
        _ store: String? = nil, size: Int = 1_000_000_000
    ) throws -> TestServer {
        let server = try TestServer {
            $0.store = store ?? folder.path
            $0.storeSize = size
        }
        try server.write(photo, "a.jpg")
        return server
    }

    private func get(_ server: TestServer, _ width: Int) async throws -> TestServer.Answer {
        try await server.get("/_/w:\(width)/plain/local:///a.jpg@png")
    }

    private func bodies(_ server: TestServer) async throws -> [Data] {
        var bodies: [Data] = []
        for width in Self.widths { bodies.append(try await get(server, width).body) }
        return bodies
    }

    /// Returns the files of the results, with those of the index or without.
    private func files(withIndex: Bool) throws -> [URL] {
        let start = URL(fileURLWithPath: "\(folder.path)/results\(withIndex ? "" : "/blobs")")
        let all = FileManager.default.enumerator(at: start, includingPropertiesForKeys: [.isRegularFileKey])
        return try #require(all).compactMap { $0 as? URL }.filter { !$0.hasDirectoryPath }.sorted { $0.path < $1.path }
    }

    private func flipBit(of file: URL, _ random: inout SplitMix) throws {
        var bytes = try Data(contentsOf: file)
        guard !bytes.isEmpty else { return }
        bytes[random.number(below: bytes.count)] ^= 1 << UInt8(random.number(below: 8))
        try bytes.write(to: file)
    }

    // MARK: Damage

    @Test(.requirement("V29"), arguments: 0..<6)
    func `a result whose file has a flipped bit is made again, and never sent`(seed: Int) async throws {
        let first = try server()
        let right = try await bodies(first)
        #expect(right[0].count < 32 << 10 && right[1].count > 32 << 10 && right[2].count > 256 << 10)
        await first.close()
        var random = SplitMix(seed: UInt64(seed))
        let files = try files(withIndex: false)
        #expect(files.count == 2)
        for file in files { try flipBit(of: file, &random) }
        let second = try server()
        #expect(try await bodies(second) == right)
        #expect(second.server.renditions.work.encodes == 2)
    }

    @Test(.requirement("V29"), arguments: 0..<12)
    func `whatever bit of the store flips, answers are right`(seed: Int) async throws {
        let first = try server()
        let right = try await bodies(first)
        await first.close()
        var random = SplitMix(seed: UInt64(seed))
        for file in try files(withIndex: true) { try flipBit(of: file, &random) }
        #expect(try await bodies(server()) == right)
    }

    @Test(.requirement("V29"), arguments: [0, 1, 1000])
    func `a file that was cut off is made again`(length: Int) async throws {
        let first = try server()
        let right = try await bodies(first)
        await first.close()
        for file in try files(withIndex: false) { try Data(contentsOf: file).prefix(length).write(to: file) }
        #expect(try await bodies(server()) == right)
    }

    // MARK: Room

    @Test(.requirement("V30")) func `results stay within the size of the store`() async throws {
        let limit = 300_000
        let server = try server(size: limit)
        let disk = try #require(server.server.disks.last)
        for width in 100..<140 {
            #expect(try await get(server, width).status == 200)
            #expect(try await disk.statistics().bytes <= limit)
        }
        try await disk.flush()
        let sizes = try files(withIndex: false).map { try $0.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0 }
        #expect(sizes.reduce(0, +) <= limit)
        #expect(try await disk.statistics().entries > 0)
    }

    @Test(.requirement("V30")) func `a store that cannot be written keeps no result from being sent`() async throws {
        let store = "\(folder.path)-file"
        let server = try server(store)
        try FileManager.default.removeItem(atPath: store)
        try Data("no folder".utf8).write(to: URL(fileURLWithPath: store))
        defer { try? FileManager.default.removeItem(atPath: store) }
        for _ in 0..<2 {
            for width in Self.widths { #expect(try await get(server, width).size?.width == width) }
        }
    }

    @Test func `a server whose store cannot be made does not start, and makes both folders otherwise`() throws {
        let file = "\(folder.path)-file"
        try Data("no folder".utf8).write(to: URL(fileURLWithPath: file))
        defer { try? FileManager.default.removeItem(atPath: file) }
        let error = #expect(throws: ServerError.self) { try server("\(file)/store") }
        #expect(error?.description.contains("\(file)/store") == true)
        _ = try server()
        for name in ["sources", "results"] {
            #expect(FileManager.default.fileExists(atPath: "\(folder.path)/\(name)"))
        }
    }

    // MARK: Sharing

    @Test(.requirement("V31")) func `two servers on one store answer the same, and use each other's results`()
        async throws
    {
        let (first, second) = (try server(), try server())
        let right = try await bodies(first)
        try await first.server.disks.last?.flush()
        #expect(try await bodies(second) == right)
        #expect(second.server.renditions.work.encodes == 0)
        try await withThrowingTaskGroup(of: (Int, Data).self) { group in
            for width in 60..<80 {
                for server in [first, second] { group.addTask { (width, try await get(server, width).body) } }
            }
            var bodies: [Int: Set<Data>] = [:]
            for try await (width, body) in group { bodies[width, default: []].insert(body) }
            #expect(bodies.count == 20 && bodies.values.allSatisfy { $0.count == 1 })
        }
        #expect(try await first.server.disks.last?.verify().isClean == true)
    }
}
