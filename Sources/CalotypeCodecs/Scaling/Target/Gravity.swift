/// The part of an image that a crop keeps: a point towards which the crop window moves.
///
/// Nine static members stand for common points. `x` and `y` give any other point, for instance the position of a face.
/// ``attention`` chooses the point by the image's content.
public struct Gravity: Hashable, Sendable, Codable {
    /// The horizontal position, from 0 (left) to 1 (right).
    public let x: Double
    /// The vertical position, from 0 (top) to 1 (bottom).
    public let y: Double

    /// Whether the image's content determines the window.
    let isAttention: Bool

    /// Creates a gravity. Fractions are clamped to 0…1; NaN counts as 0.5.
    public init(x: Double, y: Double) {
        self.x = Self.clamped(x)
        self.y = Self.clamped(y)
        isAttention = false
    }

    private init(isAttention: Bool) { (x, y, self.isAttention) = (0.5, 0.5, isAttention) }

    /// Decodes a gravity, and clamps its fractions to 0…1.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        guard try container.decodeIfPresent(Bool.self, forKey: .isAttention) != true else {
            self = .attention
            return
        }
        self.init(x: try container.decode(Double.self, forKey: .x), y: try container.decode(Double.self, forKey: .y))
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

    /// The most salient part: edges, skin and saturated colors. Steps that do not crop use the center.
    public static let attention = Gravity(isAttention: true)

    /// The suffix for a step's key: empty for the center, otherwise such as "@0.0,1.0".
    var keySuffix: String { isAttention ? "@attention" : self == .center ? "" : "@\(x),\(y)" }

    private static func clamped(_ fraction: Double) -> Double {
        // Adding zero turns -0.0 into 0.0, so that equal gravities have equal keys.
        fraction.isNaN ? 0.5 : min(max(fraction, 0), 1) + 0
    }
}
