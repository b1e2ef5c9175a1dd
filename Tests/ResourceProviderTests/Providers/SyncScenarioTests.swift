import CalotypeTesting
import TestSupport
import Requirements
import ResourceProvider
import Testing

/// S3.28, synchronous: network → validate → file cache → memory cache.
struct SyncScenarioTests {
    private let log = Log<Step>()
    private let files = ProbeCache<String, [UInt8]>()
    private let memory = ProbeCache<ImageID, Picture>()
    private let id = ImageID(url: "http://host/a/photo.jpg")

    private func pictures(_ answers: [[UInt8]]) -> some SyncProvider<ImageID, Picture, any Error> {
        let network = Network(answers, log: log)
        let log = log
        return Provider.source { (url: String) throws(LoadError) in try network.answer(url) }
            .mapID(\ImageID.url)
            .mapError { $0 as any Error }
            .mapValue { (bytes, _) throws(DecodeError) in try Picture(decoding: bytes) }
            .cache(
                files.mapID(\ImageID.lastPathComponent)
                    .valueForSideEffect { bytes, id in log.add(.fileRead(id.lastPathComponent, hit: bytes != nil)) }
                    .storeValueForSideEffect { _, id in log.add(.fileStore(id.lastPathComponent)) }
                    .mapValueToStorage { picture, _ in
                        picture.bytes
                    } fromStorage: { bytes, _ in
                        try? Picture(decoding: bytes)
                    }
            )
            .cache(
                memory.valueForSideEffect { picture, _ in log.add(.memoryRead(hit: picture != nil)) }
                    .storeValueForSideEffect { _, _ in log.add(.memoryStore) })
    }

    @Test(.requirement("S3.9")) func `a memory hit touches nothing else`() throws {
        memory.store(value: try Picture(decoding: [1, 2]), for: id)
        #expect(try pictures([]).value(for: id).bytes == [1, 2])
        #expect(log.entries == [.memoryRead(hit: true)])
    }

    @Test(.requirement("S3.10")) func `a file hit is stored in memory and asks no network`() throws {
        files.store(value: [1, 3], for: "photo.jpg")
        #expect(try pictures([]).value(for: id).bytes == [1, 3])
        #expect(log.entries == [.memoryRead(hit: false), .fileRead("photo.jpg", hit: true), .memoryStore])
        #expect(memory.values[id]?.bytes == [1, 3])
    }

    @Test(.requirement("S3.9")) func `all miss, so the network is asked once and both caches are filled`() throws {
        #expect(try pictures([[1, 4]]).value(for: id).bytes == [1, 4])
        #expect(
            log.entries == [
                .memoryRead(hit: false), .fileRead("photo.jpg", hit: false), .network(id.url), .fileStore("photo.jpg"),
                .memoryStore,
            ])
        #expect(files.values == ["photo.jpg": [1, 4]])
    }

    @Test(.requirement("S3.7")) func `what does not decode is an error and never stored`() {
        let provider = pictures([[0]])
        #expect(throws: DecodeError()) { try provider.value(for: id) }
        #expect(log.entries == [.memoryRead(hit: false), .fileRead("photo.jpg", hit: false), .network(id.url)])
    }

    @Test(.requirement("S3.8")) func `bad, then good: asking again works, with two downloads, two looks and one store`()
        throws
    {
        let provider = pictures([[0], [1, 5]])
        #expect(throws: DecodeError()) { try provider.value(for: id) }
        #expect(try provider.value(for: id).bytes == [1, 5])
        #expect(log.entries.filter { $0 == .network(id.url) }.count == 2)
        #expect(log.entries.filter { $0 == .fileRead("photo.jpg", hit: false) }.count == 2)
        #expect(log.entries.filter { $0 == .fileStore("photo.jpg") }.count == 1)
    }

    @Test(.requirement("S3.12")) func `what a file holds that does not decode is a miss and goes on to the network`()
        throws
    {
        files.store(value: [0, 0], for: "photo.jpg")
        #expect(try pictures([[1, 6]]).value(for: id).bytes == [1, 6])
        #expect(files.values == ["photo.jpg": [1, 6]])
    }
}
