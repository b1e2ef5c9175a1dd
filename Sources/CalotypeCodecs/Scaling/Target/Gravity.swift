/// Which part of an image a crop keeps: a point of the image towards which the window is pulled.
///
/// Nine members for the usual ones; any other point by its fractions, for instance where a face is. ``attention`` finds the
/// point by the image itself.
public struct Gravity: Hashable, Sendable, Codable {
    /// 0 (left) to 1 (right).
    public let x: Double
    /// 0 (top) to 1 (bottom).
    public let y: Double

    /// A Boolean value indicating whether the window is placed by what the image shows.
    let isAttention: Bool

    /// Fractions outside 0…1 are moved to the nearest edge; what is not a number counts as the middle.
    public init(x: Double, y: Double) {
        self.x = Self.clamped(x)
        self.y = Self.clamped(y)
        isAttention = false
    }

    private init(isAttention: Bool) {
        (x, y, self.isAttention) = (0.5, 0.5, isAttention)
    }

    private enum CodingKeys: CodingKey { case x, y, isAttention }

    /// Reads the value, clamped as when it is made.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        guard try container.decodeIfPresent(Bool.self, forKey: .isAttention) != true else {
            self = .attention
            return
        }
        self.init(
            x: try container.decode(Double.self, forKey: .x), y: try container.decode(Double.self, forKey: .y))
    }

    /// The center.
    public static let center = Gravity(x: 0.5, y: 0.5)
    /// The middle of the top edge.
    public static let top = Gravity(x: 0.5, y: 0)
    /// The middle of the bottom edge.
    public static let bottom = Gravity(x: 0.5, y: 1)
    /// The middle of the left edge.
    public static let left = Gravity(x: 0, y: 0.5)
    /// The middle of the right edge.
    public static let right = Gravity(x: 1, y: 0.5)
    /// The top left corner.
    public static let topLeft = Gravity(x: 0, y: 0)
    /// The top right corner.
    public static let topRight = Gravity(x: 1, y: 0)
    /// The bottom left corner.
    public static let bottomLeft = Gravity(x: 0, y: 1)
    /// The bottom right corner.
    public static let bottomRight = Gravity(x: 1, y: 1)

    /// Where a crop keeps most of what draws the eye: edges, skin and strong colors. The center for anything but crops.
    public static let attention = Gravity(isAttention: true)

    /// "" for the centre, "@0.0,1.0" for others: an addition to a step's key.
    var keySuffix: String { isAttention ? "@attention" : self == .center ? "" : "@\(x),\(y)" }

    private static func clamped(_ fraction: Double) -> Double {
        // Adding zero turns -0.0 into 0.0, so that equal gravities have equal keys.
        fraction.isNaN ? 0.5 : min(max(fraction, 0), 1) + 0
    }
}
