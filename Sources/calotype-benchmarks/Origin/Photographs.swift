import CalotypeCodecs
import Foundation

enum Photographs {
    static let large = draw(4000, 3000, 1)
    static let medium = draw(1600, 1200, 2)
    static func draw(_ w: Int, _ h: Int, _ seed: UInt64) -> Data {
        var random = SeededRandom(seed: seed)
        let bitmap = try! Bitmap(width: w, height: h, hasAlpha: false) { p, stride in
            for y in 0..<h { for x in 0..<w {
                let n = Double(random.next() >> 60) - 8
                let a = sin(Double(x) / 37) * cos(Double(y) / 53) * 60 + sin(Double(x + y) / 7) * 20 + n * 1.2
                let v = UInt32(max(0, min(255, 128 + a)))
                let u = UInt32(max(0, min(255, 100 + a / 2 + Double(x) * 60 / Double(w))))
                p.storeBytes(of: 0xFF00_0000 | (u << 16) | (v << 8) | ((v + u) / 2), toByteOffset: y * stride + 4 * x, as: UInt32.self)
            } }
        }
        return try! bitmap.encoded(as: .jpeg(quality: 0.85))
    }
}
