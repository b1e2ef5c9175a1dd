import CalotypeStore
import CalotypeTesting
import Foundation

extension Scenario {
    static let diskWrite = Scenario(
        name: "disk-write", summary: "1,000 bodies of 256 KiB to a store on tmpfs, until the last is written"
    ) { bench in
        let body = DiskRound.body
        try await bench.compare(
            "disk-write", with: "bare temporary file + rename", unit: "ms", bar: .atMost(1.7),
            pairs: bench.isQuick ? 15 : 25
        ) {
            let directory = try ScratchDirectory()
            let store = DiskStore(directory: directory.path, options: .roomy)
            let time = try await seconds {
                for key in DiskRound.keys { try await store.store(body, metadata: DiskRound.metadata, for: key) }
                try await store.flush()
            }
            try await store.close()
            return time * 1e3
        } baseline: {
            let directory = try ScratchDirectory()
            return try seconds {
                for index in 0..<DiskRound.count { try BareFiles.write(body, to: "\(directory.path)/\(index)") }
            } * 1e3
        }
    }

    static let diskRead = Scenario(
        name: "disk-read", summary: "the same bodies back, checksums verified, one after the other"
    ) { bench in
        let (directory, files) = (try ScratchDirectory(), try ScratchDirectory())
        let store = DiskStore(directory: directory.path, options: .roomy)
        for (index, key) in DiskRound.keys.enumerated() {
            try await store.store(DiskRound.body, metadata: DiskRound.metadata, for: key)
            try BareFiles.write(DiskRound.body, to: "\(files.path)/\(index)")
        }
        try await store.flush()
        // Measure processor time, because wall time would include two thread wake-ups per read.
        try await bench.compare(
            "disk-read", with: "bare open + read", unit: "ms", bar: .atMost(3.5), pairs: bench.isQuick ? 15 : 25
        ) {
            try await allProcessorSeconds {
                for key in DiskRound.keys {
                    guard try await store.entry(for: key)?.body.count == DiskRound.body.count else {
                        throw BenchError("the store lost \(key)")
                    }
                }
            } * 1e3
        } baseline: {
            try await allProcessorSeconds {
                for index in 0..<DiskRound.count {
                    guard try BareFiles.read("\(files.path)/\(index)") == DiskRound.body.count else {
                        throw BenchError("file \(index) is short")
                    }
                }
            } * 1e3
        }
        try await store.close()
    }
}

/// The entries that the disk scenarios store: their keys, their metadata and their common body.
private enum DiskRound {
    static let count = 1000
    static let keys: [ByteString] = (0..<count).map { "https://images.example.org/photos/\($0)/large.jpg" }
    static let metadata = Data("200 https://images.example.org/\nContent-Type: image/jpeg\n".utf8)
    static let body: Data = {
        var random = SplitMix(seed: 4)
        var data = Data(count: 256 << 10)
        data.withUnsafeMutableBytes { bytes in
            for offset in stride(from: 0, to: bytes.count, by: 8) {
                bytes.storeBytes(of: random.next(), toByteOffset: offset, as: UInt64.self)
            }
        }
        return data
    }()
}

extension DiskStoreOptions {
    /// Options with room for all entries of a benchmark, so that the store evicts none.
    static var roomy: DiskStoreOptions {
        var options = DiskStoreOptions()
        options.byteLimit = 8 << 30
        return options
    }
}
