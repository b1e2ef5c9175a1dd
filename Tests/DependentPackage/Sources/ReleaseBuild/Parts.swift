import Calotype
import CalotypeCodecs
import CalotypeHTTP
import CalotypeHTTPCache
import CalotypeStore
import CalotypeTransport
import Foundation
import ResourceProvider

// The same for the library's parts, and with several kinds of error in one block.

public func store(_ store: DiskStore, _ file: URL) async {
    do {
        let urls = try list(in: file)
        try await store.store(Data([1]), for: ByteString(urls[0].absoluteString))
        print("stored")
    } catch {
        print("not stored: \(error)")
    }
}

public func entry(_ store: DiskStore, _ file: URL) async {
    do {
        let urls = try list(in: file)
        let entry = try await store.entry(for: ByteString(urls[0].absoluteString))
        print(entry?.body.count ?? 0)
    } catch {
        print("no entry: \(error)")
    }
}

public func removeEntry(_ store: DiskStore, _ key: ByteString) async {
    do {
        try Task.checkCancellation()
        try await store.remove(key)
        print("removed")
    } catch {
        print("not removed: \(error)")
    }
}

public func removeEntries(_ store: DiskStore) async -> Bool {
    do {
        try Task.checkCancellation()
        try await store.removeAll()
        return true
    } catch {
        print("not removed: \(error)")
        return false
    }
}

public func trim(_ store: DiskStore) async {
    do {
        try Task.checkCancellation()
        try await store.trim(toBytes: 1 << 20)
        print("trimmed")
    } catch {
        print("not trimmed: \(error)")
    }
}

public func flush(_ store: DiskStore) async {
    do {
        try Task.checkCancellation()
        try await store.flush()
        print("flushed")
    } catch {
        print("not flushed: \(error)")
    }
}

public func close(_ store: DiskStore) async {
    do {
        try Task.checkCancellation()
        try await store.close()
        print("closed")
    } catch {
        print("not closed: \(error)")
    }
}

public func send(_ transport: some Transport, _ file: URL) async {
    do {
        let urls = try list(in: file)
        let response = try await transport.send(HTTPRequest(urls[0]))
        print(response.status)
    } catch {
        print("no response: \(error)")
    }
}

public func sendByCurl(_ url: URL) async {
    do {
        try Task.checkCancellation()
        let response = try await CurlTransport().send(HTTPRequest(url))
        print(response.status)
    } catch {
        print("no response: \(error)")
    }
}

public func sendThroughCache(_ file: URL) async {
    let cache = HTTPCache(rules: .private, memory: 64 << 20)
    let transport = CurlTransport().cached(in: cache).decodingContent().followingRedirects()
    do {
        let urls = try list(in: file)
        let response = try await transport.send(HTTPRequest(urls[0]))
        print(response.status)
    } catch {
        print("no response: \(error)")
    }
}

public func collect(_ body: HTTPBody) async {
    do {
        try Task.checkCancellation()
        let data = try await body.collect()
        print(data)
    } catch {
        print("no body: \(error)")
    }
}

public func download(_ file: URL, _ store: DiskStore) async {
    do {
        let urls = try list(in: file)
        let data = try await Provider.networkDataSource().value(for: urls[0])
        print(data)
        try await store.remove("data")
    } catch {
        print("no data: \(error)")
    }
}

public func provide(_ images: AnyAsyncProvider<URL, Bitmap, ImageError>, _ file: URL) async {
    do {
        let urls = try list(in: file)
        let image = try await images.coordinated().value(for: urls[0])
        print(image)
        await loader.remove(ImageRequest(urls[0]))
    } catch {
        print("no image: \(error)")
    }
}

public func decode(_ url: URL, _ decoders: DecoderRegistry) async {
    do {
        let image = try decoders.decode(Data()).scaled(to: PixelSize(width: 9, height: 9))
        print(try image.applying([.circle]), try BlurHash(image), try image.encoded(as: .png))
    } catch {
        print("no image: \(error)")
    }
    do {
        try Task.checkCancellation()
        let image = try await loader.fetch(url)
        print(image)
    } catch {
        print("no image: \(error)")
    }
}

public func severalErrors(_ store: DiskStore, _ url: URL) async {
    do {
        try await store.remove("image")
        try Task.checkCancellation()
        let image = try await loader.fetch(url)
        print(image)
    } catch {
        print("no image: \(error)")
    }
}
