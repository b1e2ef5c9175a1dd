import Calotype
import CalotypeBase
import CalotypeTesting
import Foundation
import Requirements
import Testing

@testable import CalotypeServer

/// The division of one amount of memory.
@Suite(.requirement("V48")) struct MemoryShareTests {
    private static let mebibyte = 1 << 20

    @Test(arguments: [144 << 20, 151_000_000, 256 << 20, 512_000_000, 1 << 30, 14 << 30, 1 << 40], [1, 2, 8, 128])
    func `the shares add up to the whole`(total: Int, processors: Int) {
        for isStored in [true, false] {
            let shares = MemoryShares(total: total, processors: processors, isStored: isStored)
            #expect(shares.parts.reduce(0) { $0 + $1.bytes } == total)
            #expect(shares.parts.allSatisfy { $0.bytes > 0 || $0.name == "sources" && isStored })
            #expect(shares.undecodedLimit + shares.sourceLimit + shares.heldLimit <= shares.undecoded)
            #expect(shares.workers * (16 << 20) == shares.workerBytes && shares.workers <= min(processors, 8))
        }
    }

    /// 512 MiB and two cores: 64 for the programs, 32 for workers, and sixteenths of the remaining 416.
    @Test func `the shares follow from the formula`() {
        let shares = MemoryShares(total: 512 << 20, processors: 2, isStored: false)
        let part = (512 - 64 - 32) * Self.mebibyte / 16
        #expect(shares.decodes == 6 * part && shares.undecoded == 4 * part && shares.results == 2 * part)
        #expect(
            [shares.sources, shares.gathering, shares.regions, shares.connections] == Array(repeating: part, count: 4))
        #expect(shares.workers == 2 && shares.connectionLimit == part / (64 << 10) && shares.sourceLimit == part)
    }

    @Test func `a store on disk leaves the memory for sources to results`() {
        let memory = MemoryShares(total: 1 << 30, processors: 2, isStored: false)
        let disk = MemoryShares(total: 1 << 30, processors: 2, isStored: true)
        #expect(disk.sources == 0 && disk.results == memory.results + memory.sources)
    }

    @Test func `shares with a limit leave the rest of a large memory to results`() {
        let shares = MemoryShares(total: 64 << 30, processors: 16, isStored: true)
        #expect(shares.gathering == 512 << 20 && shares.regions == 128 << 20 && shares.connectionLimit == 4096)
        #expect(shares.results > 64 << 30 / 8)
    }

    @Test func `little memory has few workers`() {
        #expect(MemoryShares(total: MemoryShares.smallest, processors: 8, isStored: false).workers == 1)
        #expect(MemoryShares(total: 512 << 20, processors: 8, isStored: false).workers == 5)
        #expect(MemoryShares(total: 2 << 30, processors: 8, isStored: false).workers == 8)
    }

    @Test func `a server with too little memory does not start`() throws {
        let error = #expect(throws: ServerError.self) {
            try TestServer { $0.memoryLimit = MemoryShares.smallest - 1 }
        }
        #expect(error?.description.contains("at least 151MB") == true)
        _ = try TestServer { $0.memoryLimit = MemoryShares.smallest }
    }

    @Test func `each part of a server has its share`() throws {
        let server = try TestServer {
            $0.memoryLimit = 512 << 20
            $0.processors = 2
        }
        let shares = server.options.shares, loader = server.options.loader
        #expect(loader.decodeBudget == shares.decodes && loader.undecodedBytes == shares.undecodedLimit)
        #expect(loader.bodyLimit == shares.sourceLimit && shares.sourceLimit < server.options.maxSourceBytes)
        #expect(server.server.work.decodeBudget == shares.decodes)
    }

    @Test func `a file beyond a quarter of the memory for originals is 422`() async throws {
        let server = try TestServer { $0.memoryLimit = MemoryShares.smallest }
        try server.write(Data(count: server.options.sourceLimit + 1), "large.jpg")
        let answer = try await server.get("/_/w:10/plain/local:///large.jpg")
        #expect(answer.status == 422 && answer.text.contains("too many bytes"))
    }

    @Test func `originals that wait for their turn have a limit`() {
        let held = HeldOriginals(limit: 100)
        let first = held.hold(60)
        #expect(first != nil && held.hold(41) == nil && held.bytes == 60)
        let second = held.hold(40)
        #expect(second != nil && held.bytes == 100)
        withExtendedLifetime((first, second)) {}
    }

    @Test func `the memory of an original is free once its rendition has gone`() {
        let held = HeldOriginals(limit: 100)
        do {
            let hold = held.hold(100)
            #expect(held.bytes == 100)
            withExtendedLifetime(hold) {}
        }
        #expect(held.bytes == 0)
    }

    @Test func `bytes that the loader has taken count there alone`() {
        let held = HeldOriginals(limit: 100)
        let kept = held.keep(Data(count: 60))
        #expect(held.bytes == 60 && held.keep(Data(count: 41)) == nil)
        #expect(kept?.take()?.count == 60)
        #expect(held.bytes == 0 && kept?.take() == nil)
    }

    @Test func `results that have left the cache have a share, too`() {
        let shares = MemoryShares(total: 512 << 20, processors: 2, isStored: false)
        #expect(2 * shares.resultLimit <= shares.results)
    }

    @Test func `a file that memory cannot keep is read again`() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "calotype-held-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let photo = SamplePhotos.jpeg(width: 64, height: 48)
        try photo.write(to: folder.appending(path: "a.jpg"))
        let held = HeldOriginals(limit: 0)
        let sources = LocalSources(
            try SourceRoot(LocalPath(text: folder.path)), ImageLoader(.ephemeral), byteLimit: 1 << 20, held)
        let found = try await sources.find("a.jpg")
        for _ in 0..<2 { #expect(try await found.data() == photo) }
    }
}
