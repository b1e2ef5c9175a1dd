import Calotype
import Foundation

// The same in actors, tasks, closures and loops, with values that live across the calls.

public actor Album {
    var images: [URL: Bitmap] = [:]
    var failure: (any Error)?

    public func add(_ file: URL) async {
        do {
            let urls = try list(in: file)
            images[urls[0]] = try await loader.fetch(urls[0])
        } catch {
            failure = error
        }
    }
}

public actor Archive {
    var failure: (any Error)?

    public func add(_ url: URL) async {
        do {
            try Task.checkCancellation()
            let response = try await loader.dataResponse(for: ImageRequest(url))
            print(response.data.count)
        } catch {
            failure = error
        }
    }
}

public func taskGroup(_ files: [URL]) async {
    await withTaskGroup(of: Int.self) { group in
        for file in files {
            group.addTask {
                do {
                    let urls = try list(in: file)
                    return try await loader.data(for: ImageRequest(urls[0])).count
                } catch {
                    print(error)
                    return 0
                }
            }
        }
        for await count in group { print(count) }
    }
}

public func closure() -> @Sendable (URL) async -> Void {
    { file in
        do {
            let urls = try list(in: file)
            let image = try await loader.fetch(urls[0])
            print(image, urls)
        } catch {
            print(error)
        }
    }
}

public func detached(_ url: URL) -> Task<Bool, Never> {
    Task.detached {
        do {
            try Task.checkCancellation()
            await loader.remove(ImageRequest(url))
            try await loader.removeAll()
            return true
        } catch {
            print(error)
            return false
        }
    }
}

public func deferred(_ url: URL) async {
    defer { loader.shrinkMemory() }
    do {
        try Task.checkCancellation()
        let image = try await loader.fetch(url)
        print(image)
    } catch {
        print(error)
    }
}

public func loop(_ urls: [URL]) async -> Int {
    var loaded = 0
    for url in urls {
        do {
            try Task.checkCancellation()
            let image = try await loader.fetch(url)
            print(image)
            loaded += 1
        } catch {
            print(error)
            return loaded
        }
    }
    return loaded
}

public func retry(_ url: URL) async -> Bitmap? {
    var image: Bitmap?
    while image == nil {
        do {
            try Task.checkCancellation()
            image = try await loader.fetch(url)
        } catch {
            print(error)
        }
    }
    return image
}

public func asyncLet(_ url: URL) async {
    async let other = deferred(url)
    do {
        try Task.checkCancellation()
        let image = try await loader.fetch(url)
        print(image)
    } catch {
        print(error)
    }
    await other
}
