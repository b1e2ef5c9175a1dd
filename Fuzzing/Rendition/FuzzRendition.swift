import CalotypeBase
import CalotypeCodecs
import CalotypeFuzzSupport
import Foundation

@testable import CalotypeServer
@testable import CalotypeURLs

@_cdecl("LLVMFuzzerInitialize")
public func initialize(_ count: UnsafeMutableRawPointer?, _ arguments: UnsafeMutableRawPointer?) -> Int32 {
    Seeds.writeIfAsked {
        [
            "/s/rs:fill:300:400:1:1:no:5:0.25/g:fp:0.5:0.25/c:0.5:100:sm/plain/http://a/b%20c@webp",
            "/s/w%3A1/z:1.5:2/dpr:2/t:12:ff8000:1:0/pd:1:2:3:4/rot:270/fl:1:0/bg:1:2:3/plain/local:/a/b",
            "/s/q:50/fq:avif:40:webp:60/wm:0.5:sowe:10:-0.25:0.125/fn:bXk:1/exp:4102444800/aHR0cDov/L2EvYg.png?c",
            "thumb=rs:fill:100:50/q:60\n# text\ndefault=pr:thumb/w:1e2",
        ].map { Data($0.utf8) }
    }
}

/// Parses the bytes as a target, as presets and as a source. The canonical text of a valid path must parse back to
/// itself, and no result may exceed the limit by more than 4 pixels.
@_cdecl("LLVMFuzzerTestOneInput")
public func test(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    let text = ByteString(bytes: input(bytes, count))
    _ = try? Presets(text)
    _ = try? RenditionSource(text, allowed: AllowedSources())
    guard let path = try? SignedPath(target: text) else { return 0 }
    for path in [path.path, path.repaired?.path].compactMap(\.self) {
        guard let request = try? RenditionRequest(path: path) else { continue }
        let canonical = request.canonicalText
        let again = try? RenditionRequest(canonicalText: canonical)
        require(again?.canonicalText == canonical, "the canonical text does not parse back: \(canonical)")
        let layout = RenditionLayout(request.options, longestSide: 8192)
        for (width, height) in [(1, 1), (1, 50_000), (4000, 3000)] {
            let result = layout.geometry(of: .init(width: width, height: height)).result
            require(result.width > 0 && result.height > 0, "an empty result: \(canonical)")
            // Not 8192, because each side of the padding is rounded separately.
            require(max(result.width, result.height) <= 8196, "\(result.width) × \(result.height): \(canonical)")
            let placement = layout.placement(of: .init(width: width, height: height), isScalable: false)
            let window = placement.window
            require(
                window.x >= 0 && window.y >= 0 && window.x + window.width <= placement.scaled.width
                    && window.y + window.height <= placement.scaled.height,
                "a window outside of its image: \(canonical)")
        }
    }
    return 0
}
