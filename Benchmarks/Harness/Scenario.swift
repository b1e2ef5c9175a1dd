/// One benchmark, which compares a part of the library with one or more baselines.
struct Scenario: Sendable {
    let name: String
    /// One line for `--list`.
    let summary: String
    let measure: @Sendable (Bench) async throws -> Void

    /// All scenarios, in the order in which they run if the command line names none.
    static let all: [Scenario] =
        [
            .memoryHit, .memoryHitByEight, .freshness, .freshnessFlat, .hitRatio, .pipeline, .coalescing,
            .transportSmall, .decodeJPEG, .thumbJPEG, .thumbGainMap, .thumbPNG, .thumbWebP, .decodeAVIF, .encodeAVIF,
            .gifPlay,
            .gifFirstFrame, .gifMemory, .placeholderHashes, .previewCost, .resizeLarge, .qualityThumb, .thumbMany,
            .thumbGrowth, .diskWrite, .diskRead, .diskOpen, .processedHit, .peakMemory,
            .peakMemoryDisk, .revalidate, .proxyHit, .proxyLarge, .proxyStream, .proxyUnderAttack, .listenerHit,
            .serveColdJPEG, .serveColdWebP, .serveColdPNG, .serveWeb, .serveTogether, .servePage, .serveHit,
            .serveHitProcessor, .serveRevalidate,
            .serveHerd, .serveOverload, .serveShares, .serveClog, .serveClogStale, .serveDown, .serveSoak, .servePurge,
            .serveLog,
            .serveAttack,
        ] + withObjectStores + behindBalancer + isolation + inWindows

    /// Those of nodes with an object store.
    private static let withObjectStores: [Scenario] = [
        .s3Source, .farHit, .farMiss, .farStale, .farHerd, .farStall, .farKill,
    ]

    /// Those of several nodes behind a balancer.
    private static let behindBalancer: [Scenario] = [.fleetHerd, .fleetKill, .fleetRoll, .fleetPurge]
}
