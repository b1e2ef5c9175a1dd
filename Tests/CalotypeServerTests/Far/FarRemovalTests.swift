import CalotypeBase
import CalotypeHTTP
import CalotypeTesting
import Foundation
import Testing
import Waiting

@testable import CalotypeServer

@Suite struct FarRemovalTests {
    private let objects = MemoryObjectStore()
    private let reports = Locked<[String]>([])

    private func sources(_ count: Int) -> [ByteString] { (0..<count).map { "https://a.test/\($0).jpg" } }

    private func makeRemovals() -> FarRemovals {
        FarRemovals(FarStore(objects: objects, prefix: "far")) { [reports] line in reports.withLock { $0.append(line) }
        }
    }

    @Test func `a few removals run at once, the others wait`() async throws {
        let store = FarStore(objects: objects, prefix: "far")
        let sources = sources(200)
        for source in sources {
            let page = store.name("\(FarName.folder(ofSource: source))/page")
            try await objects.store(Data([1]), as: page)
        }
        objects.gate.close()
        let removals = makeRemovals()
        for source in sources { removals.remove(pagesOf: source) }
        await waitUntil { objects.gate.waiting == 4 && removals.load.waiting == 196 }
        objects.gate.open()
        await waitUntil { objects.now.objects.isEmpty }
        #expect(reports.withLock { $0 } == [])
    }

    @Test func `removals beyond the limit of the queue are reported`() async {
        objects.gate.close()
        let removals = makeRemovals()
        for source in sources(FarRemovals.queueLimit + 4 + 3) { removals.remove(pagesOf: source) }
        await waitUntil { reports.withLock { $0.count } == 3 }
        #expect(
            reports.withLock { $0.first } == "too many purges: the pages of some purged sources stay in the far store")
        objects.gate.open()
        await waitUntil { removals.load == (0, 0) }
    }

    @Test func `a store that lists the pages of other sources loses none of them`() async throws {
        let store = FarStore(objects: objects, prefix: "far")
        let pages = sources(2).map { store.name("\(FarName.folder(ofSource: $0))/page") }
        for page in pages { try await objects.store(Data([1]), as: page) }
        objects.update { $0.strays = [pages[1], "far/purges/1", "elsewhere"] }
        try await store.remove(source: sources(1)[0])
        #expect(objects.now.removals == [pages[0]])
    }
}
