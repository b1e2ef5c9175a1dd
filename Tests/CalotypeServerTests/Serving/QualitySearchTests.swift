import CalotypeBase
import CalotypeCodecs
import CalotypeTesting
import TestSupport
@testable import CalotypeURLs
import Foundation
import Requirements
import Testing

@testable import CalotypeServer

/// The search for the quality of `max_bytes`.
struct QualitySearchTests {
    private let tried = Log<Int>()

    /// Searches among files whose size grows by `growth` for each step of the quality.
    private func search(limit: Int, from wanted: Int = 80, size: (Int) -> Int, hasTime: () -> Bool = { true }) -> Int {
        let search = QualitySearch(limit: limit, tooLarge: size(wanted), at: wanted)
        return search.best(
            { quality in
                tried.add(quality)
                return Data(count: size(quality))
            }, while: hasTime
        ).count
    }

    private func exponential(_ quality: Int) -> Int { Int(1000 * pow(1.03, Double(quality))) }

    @Test(.requirement("C3")) func `two files predict the quality of the third`() {
        let limit = exponential(41)
        let best = search(limit: limit, size: exponential)
        #expect(best <= limit && Double(best) >= 0.95 * Double(limit))
        #expect(tried.entries.count == 2 && tried.entries[0] == 1)
    }

    @Test(.requirement("C3"), arguments: 2..<80)
    func `whatever fits best is found in a few attempts`(quality: Int) {
        // Sizes that grow as those of JPEG: slowly at low qualities, fast at high ones.
        func size(_ quality: Int) -> Int { 2000 + quality * quality * 4 + Int(pow(1.08, Double(quality))) * 10 }
        let limit = size(quality) + 1
        let best = search(limit: limit, size: size)
        #expect(best <= limit && (Double(best) >= 0.95 * Double(limit) || best == size(quality)))
        #expect(tried.count <= 6, "\(tried.entries)")
    }

    @Test(.requirement("C3")) func `if even the lowest quality is too large, its file is the result`() {
        #expect(search(limit: 10, size: exponential) == exponential(1))
        #expect(tried.entries == [1])
    }

    @Test(.requirement("C3")) func `at the end of its time the search takes the best file so far`() {
        let limit = exponential(60)
        #expect(search(limit: limit, size: exponential, hasTime: { false }) == exponential(1))
        #expect(tried.entries == [1])
    }

    private func encoding(_ format: RenditionFormat, maxBytes: Int, _ clock: any Clock<Duration> = ContinuousClock())
        -> RenditionEncoding
    {
        var options = RenditionOptions()
        (options.format, options.maxBytes) = (format, maxBytes)
        return RenditionEncoding(options: options, accepted: nil, clock: clock)
    }

    @Test(.requirement("C3"), arguments: [RenditionFormat.jpeg, .webp, .avif])
    func `real files fit, in a few attempts`(_ format: RenditionFormat) throws {
        let bitmap = try DecoderRegistry.standard.decode(SamplePhotos.jpeg(width: 320, height: 240))
        let whole = try encoding(format, maxBytes: 0).encoded(bitmap, as: format) { true }.count
        for part in [2, 3, 5] {
            let attempts = Locked(0)
            let file = try encoding(format, maxBytes: whole / part).encoded(bitmap, as: format) {
                attempts.withLock { $0 += 1 }
                return true
            }
            let lowest = try encoding(format, maxBytes: 1).encoded(bitmap, as: format) { true }
            #expect(file.count <= max(whole / part, lowest.count))
            #expect(attempts.withLock { $0 } <= 6)
        }
    }

    @Test(.requirement("C3")) func `a search ends between two attempts when its client has left`() throws {
        let bitmap = try DecoderRegistry.standard.decode(SamplePhotos.jpeg(width: 320, height: 240))
        let attempts = Locked(0)
        #expect(throws: CodecError.self) {
            try encoding(.jpeg, maxBytes: 3000).encoded(bitmap, as: .jpeg) {
                attempts.withLock { attempts in
                    attempts += 1
                    return attempts < 2
                }
            }
        }
        #expect(attempts.withLock { $0 } == 2)
    }

    @Test(.requirement("C3")) func `a search has a time limit`() throws {
        let clock = ManualClock()
        let bitmap = try DecoderRegistry.standard.decode(SamplePhotos.jpeg(width: 320, height: 240))
        let attempts = Locked(0)
        // Each attempt takes longer than the whole search may.
        let file = try encoding(.jpeg, maxBytes: 4000, clock).encoded(bitmap, as: .jpeg) {
            clock.advance(by: RenditionEncoding.patience)
            attempts.withLock { $0 += 1 }
            return true
        }
        #expect(file.count <= 4000 && attempts.withLock { $0 } == 1)
    }
}
