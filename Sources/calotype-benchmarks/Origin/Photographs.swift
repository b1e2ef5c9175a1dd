import CalotypeTesting
import Foundation

/// The pictures that the codec scenarios work on: drawn by code, with the detail that makes photographs large.
enum Photographs {
    /// 4000 × 3000.
    static let large = SamplePhotos.jpeg(width: 4000, height: 3000, seed: 1)
    /// 6000 × 4000, about 8.5 MB.
    static let heavy = SamplePhotos.jpeg(width: 6000, height: 4000, seed: 3, quality: 96)
    /// 1600 × 1200.
    static let medium = SamplePhotos.jpeg(width: 1600, height: 1200, seed: 2)
}
