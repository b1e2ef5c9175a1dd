import Foundation

/// A filter kernel: the function that weights each source pixel by its distance from the center of the result pixel.
enum FilterKernel: Hashable, Sendable {
    case box, bilinear, catmullRom, lanczos3
    /// A Gaussian blur with this standard deviation, in samples.
    case gaussian(Double)

    init(_ filter: ResizeFilter, shrinks: Bool) {
        self =
            switch filter {
            case .box: .box
            case .bilinear: .bilinear
            case .catmullRom: .catmullRom
            case .lanczos3: .lanczos3
            default: shrinks ? .lanczos3 : .catmullRom
            }
    }

    /// The distance beyond which all weights are 0.
    var radius: Double {
        switch self {
        case .box: 0.5
        case .bilinear: 1
        case .catmullRom: 2
        case .lanczos3: 3
        case .gaussian(let deviation): 3 * deviation
        }
    }

    /// Returns the weight at a distance, in pixels of the source or the result, whichever is smaller.
    func weight(at distance: Double) -> Double {
        let x = abs(distance)
        guard x < radius else { return 0 }
        switch self {
        case .box: return 1
        case .bilinear: return 1 - x
        case .catmullRom: return x < 1 ? (1.5 * x - 2.5) * x * x + 1 : ((2.5 - 0.5 * x) * x - 4) * x + 2
        case .lanczos3: return Self.lanczos3(x)
        case .gaussian(let deviation): return exp(-x * x / (2 * deviation * deviation))
        }
    }

    /// Returns sinc(x) · sinc(x / 3), computed with one sine: sin 3a = 3 sin a − 4 sin³ a.
    private static func lanczos3(_ x: Double) -> Double {
        guard x > 1e-6 else { return 1 }
        let third = .pi * x / 3
        let sine = sin(third)
        return sine * sine * (3 - 4 * sine * sine) / (3 * third * third)
    }
}
