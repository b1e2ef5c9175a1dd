/// The dependencies of each frame on earlier frames, computed once from the index.
struct FrameDependencies {
    /// For each frame, the latest frame (up to and including itself) that can be drawn without any earlier frame.
    private(set) var start: [Int] = []
    /// For each frame, whether the whole canvas is opaque while that frame is shown.
    private(set) var isOpaque: [Bool] = []

    init(_ index: AnimationIndex) {
        start.reserveCapacity(index.frames.count)
        isOpaque.reserveCapacity(index.frames.count)
        var latest = 0
        var below = Canvas.empty
        for (number, frame) in index.frames.enumerated() {
            let covers = index.covers(frame)
            // A frame with `restore` is no starting point: once it ends, the frames before it reappear.
            if below == .empty || covers && frame.replaces, frame.disposal != .restore { latest = number }
            let shown = below.drawing(frame, covers: covers)
            start.append(latest)
            isOpaque.append(shown == .opaque)
            below = shown.disposing(frame, covers: covers, below: below)
        }
    }

    private enum Canvas {
        case empty
        case mixed
        case opaque

        func drawing(_ frame: AnimationFrame, covers: Bool) -> Canvas {
            if frame.isEmpty { return self }
            if covers && !frame.hasAlpha { return .opaque }
            return self == .opaque && (frame.blends || !frame.hasAlpha) ? .opaque : .mixed
        }

        func disposing(_ frame: AnimationFrame, covers: Bool, below: Canvas) -> Canvas {
            switch frame.disposal {
            case .keep: self
            case .clear: covers ? .empty : frame.isEmpty || self == .empty ? self : .mixed
            case .restore: below
            }
        }
    }
}
