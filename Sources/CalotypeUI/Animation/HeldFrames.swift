import CalotypeCodecs

/// The decoded frames of one animation, within a limit on bytes.
struct HeldFrames: Sendable {
    private let frameCount: Int
    private let byteLimit: Int
    private var bitmaps: [Int: Bitmap] = [:]
    private var largest = 0
    private(set) var bytes = 0

    init(frameCount: Int, byteLimit: Int) {
        self.frameCount = frameCount
        self.byteLimit = byteLimit
    }

    subscript(_ number: Int) -> Bitmap? { bitmaps[number] }

    mutating func add(_ bitmap: Bitmap, _ number: Int) {
        bytes += bitmap.byteCount - (bitmaps[number]?.byteCount ?? 0)
        bitmaps[number] = bitmap
        largest = max(largest, bitmap.byteCount)
    }

    /// Returns whether the frame `distance` frames after the due frame may be decoded. The next frame always may.
    func hasRoom(atDistance distance: Int) -> Bool { distance <= 1 || bytes + largest <= byteLimit }

    /// Releases frames if they do not all fit into the limit. Keeps the shown frame and the due frame. If `following`
    /// is `true`, also keeps as many of the next frames as fit, and always at least one.
    mutating func keep(_ shown: Int?, and due: Int, following: Bool) {
        let (all, overflow) = largest.multipliedReportingOverflow(by: frameCount)
        guard overflow || all > byteLimit else { return }
        let ahead = max(2, largest == 0 ? 2 : byteLimit / largest)
        let frameCount = frameCount
        release { number in
            let distance = (number - due + frameCount) % frameCount
            return number == shown || distance < (following ? ahead : 1)
        }
    }

    mutating func keepOnly(_ shown: Int?) { release { $0 == shown } }

    private mutating func release(except keeps: (Int) -> Bool) {
        for (number, bitmap) in bitmaps where !keeps(number) {
            bitmaps[number] = nil
            bytes -= bitmap.byteCount
        }
    }
}
