import CalotypeBase
import CalotypeCodecs
import CalotypeFuzzSupport
import Foundation

@testable import CalotypeServer
@testable import CalotypeURLs

@_cdecl("LLVMFuzzerInitialize")
public func initialize(_ count: UnsafeMutableRawPointer?, _ arguments: UnsafeMutableRawPointer?) -> Int32 {
    Seeds.writeIfAsked {
        let operations = #"""
            [{"operation":"autorotate"},{"operation":"smartcrop","ignore_failure":false,"params":{"width":300,"height":"200",\#
            "stripmeta":"true","norotation":true,"quality":8e1}},{"operation":"rotate","params":{"rotate":90}}]
            """#
        let image = #"[{"operation":"watermarkImage","params":{"image":"http://a/"}},{"operation":"fl\u0069p"}]"#
        return [
            "/resize?width=300&height=200&extend=background&background=1,2,3&nocrop=1&embed=0&sigma=1.5&minampl=.2",
            "/crop?width=300&aspectratio=16:9&gravity=north&force=&type=auto&key=a%2Bb&colorspace=bw",
            "/extract?top=10&left=20&areawidth=30&areaheight=40&rotate=270&flip=t&flop=1&interlace=1&palette=1",
            "/zoom?factor=2&quality=50", "/pipeline?operations=\(operations)", "/pipeline?key=b&operations=\(image)",
        ].map { Data($0.utf8) }
    }
}

/// Parses the bytes as a target. The options of a rendition must have a canonical text that parses back to themselves, and
/// a layout of any image; the text for logs may have no key.
@_cdecl("LLVMFuzzerTestOneInput")
public func test(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    let text = ByteString(bytes: input(bytes, count))
    let target = ImaginaryTarget(text)
    let shown = ImaginaryTarget.withoutKeys(text)
    require(ImaginaryTarget(shown).key.map { $0.hasPrefix("…") } ?? true, "a key in \(shown)")
    require(ImaginaryTarget.withoutKeys(shown) == shown, "cut twice: \(shown)")
    let accept: [ByteString] = [text.split(separator: UInt8(ascii: "?"))[0]]
    do throws(RenditionError) {
        let method = ImaginaryGrammar.method(at: target.path) ?? "POST"
        guard case .rendition(let options) = try ImaginaryGrammar().request(target, method: method, accept: accept).task
        else { return 0 }
        check(options)
    } catch {
        require([400, 404].contains(error.status), "\(error.status)")
    }
    return 0
}

private func check(_ options: RenditionOptions) {
    let canonical = OptionTable.canonicalText(of: options)
    let source: ByteString = "\(canonical)\(canonical.isEmpty ? "" : "/")plain/a"
    var again = try? RenditionRequest(path: "/\(source)").options
    again?.format = options.format
    require(again == options, "the canonical text does not parse back: \(canonical)")
    let layout = RenditionLayout(options, longestSide: 8192)
    for (width, height) in [(1, 1), (1, 50_000), (4000, 3000)] {
        let result = layout.geometry(of: .init(width: width, height: height)).result
        require(result.width > 0 && result.height > 0, "an empty result: \(canonical)")
        require(max(result.width, result.height) <= 8192, "\(result.width) × \(result.height): \(canonical)")
        let placement = layout.placement(of: .init(width: width, height: height), isScalable: false)
        let window = placement.window
        require(
            window.x >= 0 && window.y >= 0 && window.x + window.width <= placement.scaled.width
                && window.y + window.height <= placement.scaled.height,
            "a window outside of its image: \(canonical)")
    }
}
