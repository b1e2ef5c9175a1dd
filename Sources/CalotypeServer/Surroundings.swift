import CalotypeBase

/// The clocks of a server.
struct ServerClocks: Sendable {
    /// The clock for time limits.
    var clock: any Clock<Duration> = ContinuousClock()
    var wallClock = WallClock.system
}

/// The clocks and machines around a server, of which an operator has no choice. Tests replace them.
struct Surroundings: Sendable {
    var clocks = ServerClocks()
    /// Finds the network file system at a path, on which no store works.
    var networkFileSystem: @Sendable (String) -> NetworkFileSystem? = { NetworkFileSystem(at: $0) }
    /// The objects of the far store, in place of its bucket.
    var farObjects: (any ObjectStore)?
    /// Returns the objects of purges: those of the far store, if there is one.
    var purgeObjects: @Sendable (ObjectHTTPCacheStore?) -> BucketFeed? = { far in
        far.map { BucketFeed($0.store, age: $0.options.age) }
    }
}
