#if SVG
    import CalotypeCodecs
    import CalotypeFuzzSupport
    import Foundation

    @_cdecl("LLVMFuzzerInitialize")
    public func initialize(_ count: UnsafeMutableRawPointer?, _ arguments: UnsafeMutableRawPointer?) -> Int32 {
        Seeds.writeIfAsked {
            bodies.map { Data("<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 9 9'>\($0)</svg>".utf8) }
        }
    }

    @_cdecl("LLVMFuzzerTestOneInput")
    public func test(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
        Decoding.check(bytes, count, by: SVGDecoder())
    }

    private let bodies = [
        "<path d='M1 1h3v.5-2zC1 2 3 4 5 6S1 2 3 4A3 4 0 01 5 6' stroke='red' stroke-dasharray='1 2'/>",
        "<g id='a' transform='scale(2) rotate(9)'><rect width='3' height='3' opacity='.5'/></g><use href='#a' x='2'/>",
        "<pattern id='p' width='2' height='2'><circle r='1'/></pattern><rect width='9' height='9' fill='url(#p)'/>",
        "<filter id='f'><feGaussianBlur stdDeviation='1'/></filter><text y='5' filter='url(#f)'>a&#98;</text>",
        "<style>.a{opacity:.5}/* b */line{stroke:#000}</style><mask id='m'><ellipse rx='3' ry='2'/></mask>"
            + "<line class='a' x2='9' y2='9' mask='url(#m)'/>",
    ]
#endif
