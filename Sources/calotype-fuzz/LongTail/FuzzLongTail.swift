#if LongTail
    import CalotypeCodecs
    import CalotypeFuzzSupport
    import Foundation

    @_cdecl("LLVMFuzzerInitialize")
    public func initialize(_ count: UnsafeMutableRawPointer?, _ arguments: UnsafeMutableRawPointer?) -> Int32 {
        Seeds.writeIfAsked { files.compactMap { Data(base64Encoded: $0) } }
        return 0
    }

    @_cdecl("LLVMFuzzerTestOneInput")
    public func test(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
        Decoding.check(input(bytes, count), by: LongTailDecoder())
    }

    /// BMP, ICO, TIFF, TGA and PNM of a few pixels.
    private let files = [
        """
        Qk1mAAAAAAAAADYAAAAoAAAABQAAAAMAAAABABgAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAECAwQFBgcICQoLDA0OAA8QERITFBUWFxgZ\
        GhscHQAeHyAhIiMkJSYnKCkqKywA
        """,
        """
        AAABAAEABQMAAAEAGABkAAAAFgAAACgAAAAFAAAABgAAAAEAGAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAQIDBAUGBwgJCgsMDQ4ADxAR\
        EhMUFRYXGBkaGxwdAB4fICEiIyQlJicoKSorLAAAAAAAAAAAAAAAAAA=
        """,
        """
        SUkqADUAAAAAAQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHyAhIiMkJSYnKCkqKywKAAABBAABAAAABQAAAAEBBAABAAAAAwAAAAIB\
        AwADAAAAswAAAAMBAwABAAAAAQAAAAYBAwABAAAAAgAAABEBBAABAAAACAAAABIBAwABAAAABgAAABUBAwABAAAAAwAAABYBBAABAAAAAwAA\
        ABcBBAABAAAALQAAAAAAAAAIAAgACAA=
        """,
        """
        AAACAAAAAAAAAAAABQADABggAAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8gISIjJCUmJygpKiss
        """,
        """
        AAAKAAAAAAAAAAAABQADABgAjgkIBw==
        """,
        """
        UDYKNSAzCjI1NQoAAQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHyAhIiMkJSYnKCkqKyw=
        """,
        """
        UDEKIyBjCjUgMwoxIDAgMSAwIDEgMCAxIDAgMSAwIDEgMSAxIDAgMAo=
        """,
    ]
#endif
