#if JPEGXL
    import CalotypeCodecs
    import CalotypeFuzzSupport

    @_cdecl("LLVMFuzzerInitialize")
    public func initialize(_ count: UnsafeMutableRawPointer?, _ arguments: UnsafeMutableRawPointer?) -> Int32 {
        Seeds.writeIfAsked(base64: files)
    }

    @_cdecl("LLVMFuzzerTestOneInput")
    public func test(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
        Decoding.check(bytes, count, by: JPEGXLDecoder())
    }

    /// Files from libjxl, 20 × 15 pixels, lossy and lossless.
    private let files = [
        """
        /wpwsAEAEggBAKQBXeUSAAAVKqOMG7yc6/nyQ4fFtI3rDG21bWFJosg4NkkncEgSaYh2Xl/NMGDM90yvdCoo0gF44IIKKXCAwbvjxSOGbGMY\
        Iq9WllgAgvO7pjHElAgUdpEuce6yL0aPk6mFLm7WAUjRA2sB
        """,
        """
        /wpwMLASCAgQALwLSxIJEhg4BMEkBQWSbNd1Xdey4EpM5Ni2Xde13NqS7gDkbCEFJBbU+DBJyqhTUbAt8WCJRSV1CICqAA2fikzgAJ4QiTaA\
        TQBo1IOInEBhY0RNWo4GaJFBKR7LniHBqSuyIZUrIumYIGiabIK/RYcR6hbzU3BcNPpFAN1AgUM3B6qKmQMIlhq5z+ez57hRMpTswIIV0ACr\
        db0NHqlMrkA38sqA+MVX6hOQZxPS9LX8o6bchc8dzAwA3hAZQIAXGQKeDCnqegtAwCuK92prS/d+QDfxj9siO7h7Y0r40KTLcR3MTwDpVtW/\
        cupShwiOZeQEyBqD3tuTF9U3DrkH0eLFFJb4jb+SE9wNomVGf34EN7VbnEU3Dwf+N5dYVvGqwE8mQW9Gj3bsWB2lSoAlqKl9qLpdv0+GsuAi\
        5/4vMzqDjCsAgJAt0I+TbkkB5PfK6fqctaK2w293t3c2fn5gQK8RSxZ6gGs5ifAE9iosdj8VDJcQppKIDG82FLyHqixTiWaD8sPOKUYn5X3s\
        CJvt/1jxj1Lot/oYq2GY1KXI4I8P3CK+1YVLDCSb+cHdVBhAg5cLSYWyCbj3Tpgt+QMaJfvIPPeycfIB6/dQv4vrR1ElTPswsNGOeEFfyHQZ\
        JMoW80GCGoDISg3J+7HpCKtNXs1Jbw5u10494Sd6h8BzYAFefVHfwJwB5cyfhsTHmc/ur62omlqCuuZ+oMbOPTmMcQX7qFIgVLda5sGfiO2S\
        M1zSI581OIe2FyloFI+Cs7Nl2o7ScknUQSbAVy/b2QV/BDv746BxVljrN/1yfe7sI/sXjM8Xn3g5xP2wedX95pwVPGqtE6ZDsAy/ig3c5chJ\
        aB9aqLcEsPYaMU8X0UYjFvnePYPfexT+h6MA9/COo6i9Y2PBp+cqtC3+V/WBUv2jhc96qk9WBvb1dIFdguidfOMx7zqlRQdKVOeWwVZMsZO9\
        72JueFNAIAkywRvOIC4iL8J/egxn2PVOH6UB4p7kOIk3nQ==
        """,
    ]
#endif
