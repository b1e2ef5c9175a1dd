import Calotype
import CalotypeBase
import CalotypeCodecs

/// One decode of an original, for all of its results that wait when the decode has its turn.
///
/// As a layout, that of the bitmap from which the results are drawn: the smallest one from which each of them is as sharp as
/// from the original. The decode begins at the first turn of a result; the others then wait for it without one. One result
/// alone is decoded by its own layout.
final class SharedDecode: OpenLayout {
    /// What is known once the decode has its turn.
    fileprivate struct Closed {
        let header: ImageHeader
        let layout: any ImageLayout
        /// The size of the bitmap, and the one that a codec may not fall below; `nil` if the bitmap is the one result
        /// itself, and another one cannot be drawn from it.
        let bitmap: DecodeSize?
        /// The numbers of the results that the bitmap is for.
        let results: Set<Int>
        /// Whether the bitmap is for several sizes, and no result itself.
        let isShared: Bool
        /// The number of the result that needs the largest bitmap.
        let largest: Int?
    }

    private struct State {
        var members: [Int: Member] = [:]
        var lastNumber = 0
        var closed: Closed?
    }

    private struct Member {
        let result: SharedResult
        let turn: RenditionQueue.Turn
        let terms: SharingTerms
    }

    /// Another one for each decode.
    let number: Int
    var key: String { "together \(number)" }
    /// The result that has begun this.
    private let first: SharedResult
    private let limits: DecodeLimits
    private let queue: RenditionQueue
    private let gate = RenditionQueue.gate()
    /// The requests for the original that the decode waits for, although it has its turn.
    private let awaited = WaitingRoom<Int, Void>(0) { count, _ in count == 0 }
    private let clock: any Clock<Duration>
    private let onClose: @Sendable () -> Void
    private let state = Locked(State())

    /// - Parameters:
    ///   - first: The result that begins this.
    ///   - onClose: Called once, when the decode has its turn.
    init(
        number: Int, first: SharedResult, limits: DecodeLimits, in queue: RenditionQueue, clock: any Clock<Duration>,
        onClose: @escaping @Sendable () -> Void
    ) {
        (self.number, self.first, self.limits) = (number, first, limits)
        (self.queue, self.clock, self.onClose) = (queue, clock, onClose)
    }

    // MARK: Members

    /// Adds a result, which waits for its turn here; `nil` if the decode has begun, and its bitmap is too small for it.
    func join(_ result: SharedResult, _ turn: RenditionQueue.Turn, _ terms: SharingTerms) -> SharedPlace? {
        state.withLock { state in
            if let closed = state.closed, !closed.serves(result) { return nil }
            state.lastNumber += 1
            state.members[state.lastNumber] = Member(result: result, turn: turn, terms: terms)
            // Under the lock: the decode must not have its turn in between.
            if state.closed == nil { turn.lineUp(at: gate) }
            return SharedPlace(decode: self, number: state.lastNumber, result: result)
        }
    }

    /// Takes a result out. Until the decode has its turn, the bitmap need not be large enough for it any more.
    func leave(_ number: Int) {
        let member = state.withLock { $0.members.removeValue(forKey: number) }
        if let member { queue.unite([member.turn]) }
    }

    /// What the caller of the decode permits: as much as the most patient result does.
    func terms(_ drawings: DrawingBudget) -> DecodeTerms {
        DecodeTerms(
            timeLeft: { [state] in
                state.withLock { $0.members.values.map(\.terms.time.left) }.max() ?? .zero
            },
            drawings: drawings, turn: SharedTurn(decode: self))
    }

    /// Waits for the first turn of a result, and then a moment for results that are about to come.
    func takeTurn() async throws(Interruption) {
        if state.withLock({ $0.closed != nil }) { return }
        try await gate.enter(())
        guard awaited.read({ $0 > 0 }) else { return }
        do throws(ServerError) {
            try await withTimeout(Self.patience, clock: clock, timedOut: .late, cancelled: .cancelled) {
                [awaited] () async throws(ServerError) in
                do throws(Interruption) { try await awaited.enter(()) } catch { throw .cancelled }
            }
        } catch {
            if error == .cancelled { throw .cancelled }
        }
    }

    /// The time for which a turn waits for results that are about to come: a small part of most decodes.
    private static let patience = Duration.milliseconds(20)

    func willWait() { awaited.update { $0 += 1 } }

    func waitsNoLonger() { awaited.update { $0 -= 1 } }

    /// Expects all results but the largest again: they will share another decode, since this one took too much memory.
    func expectOthersAgain() {
        let others = state.withLock { state in
            state.members.filter { $0.key != state.closed?.largest }.map(\.value.terms.arrival)
        }
        if isOfSeveral { for arrival in others { arrival.beginAgain() } }
    }

    // MARK: The bitmap

    /// Decides which results the bitmap is for. Those that wait for a turn wait no longer.
    func close(for header: ImageHeader) {
        let isFirst = state.withLock { state in
            guard state.closed == nil else { return false }
            var members = state.members.sorted { $0.key < $1.key }
            // A drawing is sharper at each of its sizes than scaled.
            if header.isScalable, let key = members.first?.value.result.key {
                members = members.filter { $0.value.result.key == key }
            }
            let bitmap = bitmap(of: members.map(\.value.result))
            func need(_ member: Member) -> Int { member.result.decodeSize(of: header).least.bitmapMemory }
            state.closed = Closed(
                header: header, layout: bitmap.layout(of: header), bitmap: bitmap.size(of: header),
                results: Set(members.map(\.key)), isShared: bitmap.isOfSeveral,
                largest: members.max { need($0.value) < need($1.value) }?.key)
            queue.unite(state.members.sorted { $0.key < $1.key }.map(\.value.turn))
            return true
        }
        if isFirst { onClose() }
    }

    private var current: any ImageLayout {
        state.withLock { state in
            state.closed?.layout ?? bitmap(of: state.members.sorted { $0.key < $1.key }.map(\.value.result)).layout
        }
    }

    /// The bitmap for these results or, if all have left, for the first one.
    private func bitmap(of results: [SharedResult]) -> SharedBitmap {
        SharedBitmap(results: results.isEmpty ? [first] : results, limits: limits)
    }

    func placement(of size: PixelSize, isScalable: Bool) -> ImagePlacement {
        current.placement(of: size, isScalable: isScalable)
    }

    func decodeSize(of size: PixelSize, isScalable: Bool) -> DecodeSize? {
        current.decodeSize(of: size, isScalable: isScalable)
    }

    func steps(after size: PixelSize, isScalable: Bool) -> [any ImageStep] {
        current.steps(after: size, isScalable: isScalable)
    }

    var keepsCredits: Bool { current.keepsCredits }
    var gainMapSide: Int? { current.gainMapSide }
    var gamut: ColorGamut { current.gamut }

    // MARK: Memory

    /// The peak memory of drawing and encoding the result that takes most. The bitmap counts once.
    var memory: EncodingMemory {
        EncodingMemory(
            frames: { [self] header, fileBytes in
                peak { $0.peak.frames?(header, fileBytes) ?? 0 }
            },
            still: { [self, limits] size, hasAlpha in
                guard let closed = state.withLock({ $0.closed }), closed.isShared else {
                    return peak { $0.peak.still(size, hasAlpha) }
                }
                return peak { $0.peakBytes(from: size, hasAlpha: hasAlpha, of: closed.header, limits) }
            })
    }

    private func peak(_ bytes: (SharedResult) -> Int) -> Int {
        let results = state.withLock { state in
            state.members.filter { state.closed?.results.contains($0.key) ?? true }.map(\.value.result)
        }
        return (results.isEmpty ? [first] : results).map(bytes).max() ?? 0
    }

    // MARK: What became of a result

    func outcome(of number: Int, _ result: SharedResult) -> SharedPlace.Outcome {
        guard let closed = state.withLock({ $0.closed }) else { return .whole }
        guard closed.results.contains(number) || closed.serves(result) else { return .leftOut }
        guard closed.isShared || !closed.isOf(result) else { return .whole }
        let own = result.decodeSize(of: closed.header)
        return .drawn(from: closed.header, closed.bitmap.flatMap { $0 == own ? nil : DecodeRoute($0) })
    }

    /// Whether no other result needs a larger bitmap than this one. `true` before the decode has its turn.
    func isLargest(_ number: Int) -> Bool {
        state.withLock { $0.closed.map { $0.largest == number } ?? true }
    }

    var isOfSeveral: Bool { state.withLock { $0.closed?.isShared ?? ($0.lastNumber > 1) } }

    /// Whether no result waits for the decode.
    var isEmpty: Bool { state.withLock { $0.members.isEmpty } }
}

extension SharedDecode.Closed {
    /// Whether a result that comes while the decode runs is as sharp from its bitmap as from the original.
    fileprivate func serves(_ result: SharedResult) -> Bool {
        if isOf(result) { return true }
        guard let bitmap else { return false }
        let own = result.decodeSize(of: header)
        return own == bitmap
            || bitmap.result.width >= own.least.width && bitmap.result.height >= own.least.height
    }

    /// Whether the bitmap is that of the result's layout.
    fileprivate func isOf(_ result: SharedResult) -> Bool { ByteString(layout.key) == result.key }
}
