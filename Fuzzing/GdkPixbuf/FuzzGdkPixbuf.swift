#if GdkPixbuf
    import CalotypeCodecs
    import CalotypeFuzzSupport

    @_cdecl("LLVMFuzzerInitialize")
    public func initialize(_ count: UnsafeMutableRawPointer?, _ arguments: UnsafeMutableRawPointer?) -> Int32 {
        Seeds.writeIfAsked(base64: files)
    }

    @_cdecl("LLVMFuzzerTestOneInput")
    public func test(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
        _ = Decoding.check(bytes, count, by: TIFFDecoder())
        return Decoding.check(bytes, count, by: GdkPixbufDecoder())
    }

    /// BMP, ICO, TIFF, TGA and PNM files of a few pixels.
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
