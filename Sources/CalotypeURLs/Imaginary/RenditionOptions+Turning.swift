/// Rotation and mirroring after all that the options do. The options rotate and mirror first, so the sizes and places in them
/// are turned along.
extension RenditionOptions {
    /// Rotates the result by a quarter turn, clockwise.
    mutating func turnResultRight() {
        swap(&width, &height)
        swap(&minWidth, &minHeight)
        swap(&zoomX, &zoomY)
        crop?.turnRight()
        gravity.turnRight()
        extend?.turnRight()
        // A mirroring before the turn is one along the other axis after it.
        swap(&flipsHorizontally, &flipsVertically)
        quarterTurns = (quarterTurns + 1) % 4
        simplifyMirroring()
    }

    /// Mirrors the result, so that its left becomes its right.
    mutating func mirrorResultHorizontally() {
        crop?.anchor?.mirrorHorizontally()
        gravity.mirrorHorizontally()
        extend?.mirrorHorizontally()
        flipsHorizontally.toggle()
        simplifyMirroring()
    }

    /// Mirrors the result, so that its top becomes its bottom.
    mutating func mirrorResultVertically() {
        // A half turn, and the other mirroring.
        turnResultRight()
        turnResultRight()
        mirrorResultHorizontally()
    }

    /// Replaces both mirrorings by a half turn, and a half turn before one by the other one, so that equal results have
    /// equal options.
    private mutating func simplifyMirroring() {
        guard flipsHorizontally || flipsVertically else { return }
        guard flipsHorizontally == flipsVertically || quarterTurns >= 2 else { return }
        flipsHorizontally.toggle()
        flipsVertically.toggle()
        quarterTurns = (quarterTurns + 2) % 4
    }
}

extension RenditionOptions.Crop {
    fileprivate mutating func turnRight() {
        swap(&width, &height)
        anchor?.turnRight()
    }
}

extension RenditionOptions.Anchor {
    fileprivate mutating func turnRight() {
        switch place {
        case .smart, .tiles: return
        case .focus: (x, y) = (1 - y, x)
        // Offsets from a center point right and down, those from an edge away from it.
        case .center, .east, .west: (x, y) = (y == 0 ? 0 : -y, x)
        default: (x, y) = (y, x)
        }
        place = Self.clockwise[place] ?? place
    }

    fileprivate mutating func mirrorHorizontally() {
        switch place {
        case .smart, .tiles: return
        case .focus: x = 1 - x
        case .center, .north, .south: x = x == 0 ? 0 : -x
        default: break
        }
        place = Self.mirrored[place] ?? place
    }

    private static let clockwise: [RenditionOptions.Place: RenditionOptions.Place] = [
        .north: .east, .east: .south, .south: .west, .west: .north,
        .northEast: .southEast, .southEast: .southWest, .southWest: .northWest, .northWest: .northEast,
    ]

    private static let mirrored: [RenditionOptions.Place: RenditionOptions.Place] = [
        .east: .west, .west: .east, .northEast: .northWest, .northWest: .northEast,
        .southEast: .southWest, .southWest: .southEast,
    ]
}
