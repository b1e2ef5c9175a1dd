import Calotype
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

// Ordinary programs for a release build: in one `do` block, a plain throwing call and one with a typed error. Each of them
// crashed Swift 6.3.1 while the errors had a reference as their last part: see "Public errors" in CONTRIBUTING.md.
//
// They are public, because the optimizer drops functions without a caller.

public let loader = ImageLoader(.ephemeral)

public func list(in file: URL) throws -> [URL] {
    try String(contentsOf: file, encoding: .utf8).split(separator: "\n").compactMap { URL(string: String($0)) }
}

public func fetchURL(_ file: URL) async {
    do {
        let urls = try list(in: file)
        let image = try await ImageLoader.shared.fetch(urls[0])
        print(image)
    } catch {
        print("no image: \(error)")
    }
}

public func fetchRequest(_ url: URL) async -> Bool {
    do {
        try Task.checkCancellation()
        let image = try await loader.fetch(ImageRequest(url))
        print(image)
        return true
    } catch {
        print("no image: \(error)")
        return false
    }
}

public func fetchURLRequest(_ url: URL) -> Task<Void, Never> {
    Task {
        do {
            try Task.checkCancellation()
            let image = try await loader.fetch(URLRequest(url: url))
            print(image)
        } catch {
            print("no image: \(error)")
        }
    }
}

public func response(_ file: URL) async -> Int? {
    do {
        let urls = try list(in: file)
        let response = try await loader.response(for: ImageRequest(urls[0]))
        print(response.bitmap)
        return urls.count
    } catch {
        print("no response: \(error)")
        return nil
    }
}

public func data(_ file: URL) async {
    do {
        let urls = try list(in: file)
        let bytes = try await loader.data(for: ImageRequest(urls[0]))
        print(bytes.count)
    } catch {
        print("no data: \(error)")
    }
}

public func encodedData(_ request: ImageRequest, _ format: EncodingFormat) async {
    do {
        try Task.checkCancellation()
        let bytes = try await loader.data(for: request, encodedAs: format)
        print(bytes.count)
    } catch {
        print("not encoded: \(error)")
    }
}

public func remove(_ file: URL) async {
    do {
        let urls = try list(in: file)
        await loader.remove(ImageRequest(urls[0]))
        try await loader.removeAll()
        print("removed")
    } catch {
        print("not removed: \(error)")
    }
}

public func removeAll() async -> Bool {
    do {
        try Task.checkCancellation()
        try await loader.removeAll()
        return true
    } catch {
        print("not removed: \(error)")
        return false
    }
}

public func animation(_ file: URL) async {
    do {
        let urls = try list(in: file)
        let animation = try await loader.animation(for: ImageRequest(urls[0]))
        print(animation?.frameCount ?? 0)
    } catch {
        print("no animation: \(error)")
    }
}

public func frame(_ animation: ImageAnimation) async {
    do {
        try Task.checkCancellation()
        let frame = try await animation.frame(at: 1)
        print(frame)
    } catch {
        print("no frame: \(error)")
    }
}

public func nextEvent(_ events: inout ImageEvents.AsyncIterator) async {
    do {
        try Task.checkCancellation()
        let event = try await events.next()
        print(event != nil)
    } catch {
        print("no event: \(error)")
    }
}

public func prefetch(_ prefetcher: Prefetcher, _ url: URL) async {
    do {
        try Task.checkCancellation()
        prefetcher.start([url])
        await prefetcher.waitUntilIdle()
        let image = try await loader.fetch(url)
        print(image)
    } catch {
        print("not prefetched: \(error)")
    }
}
