import CalotypeBase

/// A URL that a client library of imgproxy has made, and the rendition that it asks for.
///
/// The libraries are PyPI's imgproxy 1.0.0, pyimgproxy 0.4 and imgproxykit 0.4.0. The key is 736563726574, the salt
/// 68656C6C6F.
struct GoldenURL: Sendable {
    let signature: ByteString
    let path: ByteString
    let canonicalText: ByteString

    private init(_ signature: ByteString, _ path: ByteString, _ canonicalText: ByteString) {
        (self.signature, self.path, self.canonicalText) = (signature, path, canonicalText)
    }

    private static let plain = "http://example.com/images/curiosity.jpg"
    private static let inBase64 = "aHR0cDovL2V4YW1wbGUuY29tL2ltYWdlcy9jdXJpb3NpdHkuanBn"

    static let all = documented + ofImgproxy + ofPyimgproxy + ofImgproxykit

    /// The example of imgproxy's documentation.
    private static let documented = [
        GoldenURL(
            "oKfUtW34Dvo2BGQehJFR4Nr0_rIjOtdtzJ3QFsUcXH8",
            "/rs:fill:300:400:0/g:sm/aHR0cDovL2V4YW1w/bGUuY29tL2ltYWdl/cy9jdXJpb3NpdHku/anBn.png",
            "rt:fill/w:300/h:400/g:sm/plain/\(plain)@png")
    ]

    private static let ofImgproxy = [
        GoldenURL(
            "Gv9Z3J2KQRBp0LA5PrpEqO4YfdxCa-EcCJWgoxyPLpw",
            "/g:ce/rs:auto:0:0:0/\(inBase64)",
            "rt:auto/plain/\(plain)"),
        GoldenURL(
            "EzW0rIaOL2vlKien8rafOs7Y2ONti5NeBs3TVi6qIMw",
            "/g:sm/rs:fill:300:400:0/\(inBase64).png",
            "rt:fill/w:300/h:400/g:sm/plain/\(plain)@png"),
        GoldenURL(
            "fZCR72mrEDB8IqPtY1XqyuA4zu5xNgjwh4iKfEvhJLs",
            "/g:ce/rs:fit:800:0:1/\(inBase64).webp",
            "w:800/el:1/plain/\(plain)@webp"),
        GoldenURL(
            "wcWjXjX94If1ZVh62FAwv8UfITalmnEfnf1p6vLfNzg",
            "/g:fp:0.5:0.25/rs:auto:0:64:0/\(inBase64)",
            "rt:auto/h:64/g:fp:0.5:0.25/plain/\(plain)"),
        GoldenURL(
            "EEaWEjIX5ieV9GZMqhxz415cwAhmz39Dcw_8m3uwtqE",
            "/dpr:2/q:60/g:noea/rs:fill:100:100:0/\(inBase64).jpg",
            "rt:fill/w:100/h:100/dpr:2/g:noea/q:60/plain/\(plain)@jpeg"),
        GoldenURL(
            "GRhQMits61TOUsBFkHFIll6b-YIyT1-8pzVOJdpEUgE",
            "/bl:2.5/sh:0.7/g:ce/rs:auto:50:0:0/bG9jYWw6Ly8vYS9iIGMucG5n.avif",
            "rt:auto/w:50/bl:2.5/sh:0.7/plain/local:///a/b%20c.png@avif"),
        GoldenURL(
            "NRA6tdSeR8T4TAlJozz0RNYhhAS4sl3ve0IJ1HJrDG0",
            """
            /padding:10:20/bg:255:128:0/kcr:0/cb:v2/g:ce/rs:auto:50:0:0\
            /aHR0cDovL2V4YW1wbGUuY29tL8OkP3NpemU9MSZxPSU0MA
            """,
            "rt:auto/w:50/pd:10:20:10:20/bg:ff8000/kcr:0/cb:v2/plain/http://example.com/%25C3%25A4%3Fsize=1&q=%2540"),
        GoldenURL(
            "RZBBPM6qhVtgJJAa_dFXFJoU3gqwCvCmpesZbcrlzsw",
            "/min-width:10/mh:20/zoom:2:1.5/trim:12:ff0000:t/g:ce/rs:auto:0:0:0/\(inBase64)",
            "rt:auto/mw:10/mh:20/z:2:1.5/t:12:ff0000:1:0/plain/\(plain)"),
    ]

    private static let ofPyimgproxy = [
        GoldenURL(
            "X_5vJEZYxW2LRsiahZgp2lsSaY9d2bFdocqMFB2Aiak",
            "/resize:fill:300:200:True:True:no:0:10/plain/\(plain)",
            "rt:fill/w:300/h:200/el:1/ex:1:no:0:10/plain/\(plain)"),
        GoldenURL(
            "CaZuRh2ueEPYzJRD8XbFEBMowcuzsurqUQlJF6GZDcA",
            "/size:300:200:False/plain/\(plain)",
            "w:300/h:200/plain/\(plain)"),
        GoldenURL(
            "89HZFeRb3MKZoUQQpigIHskLaKGd8Ba1fjD_3YjXKrI",
            "/resizing_type:force/width:40/height:30/min-width:1/min-height:2/plain/\(plain)",
            "rt:force/w:40/h:30/mw:1/mh:2/plain/\(plain)"),
        GoldenURL(
            "zGFHA3MnHzQlUBOimbFM-sMOmBCssPzrRz5b1V85IwU",
            "/zoom:2:0.5/dpr:1.5/enlarge:True/plain/\(plain)",
            "z:2:0.5/dpr:1.5/el:1/plain/\(plain)"),
        GoldenURL(
            "Aa5CxFDx7Y3WVHt8n72CcPRUczFXO-UWCu_Lt2tSMfc",
            "/gravity:soea:5:0.25/crop:0.5:100:we:0:3/plain/\(plain)",
            "g:soea:5:0.25/c:0.5:100:we:0:3/plain/\(plain)"),
        GoldenURL(
            "7tp3p60nW7ZKXvC4Nkk9M8aVLQIfZapkba580h4O2cI",
            "/extend:True:so:0:4/extend_aspect_ratio:True/plain/\(plain)",
            "ex:1:so:0:4/exar:1/plain/\(plain)"),
        GoldenURL(
            "icm32Lh28Rj9IR0gOIRh2URtkxQCZoLR4e6l7ORDpag",
            "/trim:10:ffffff:True:True/padding:1:2:3:4/plain/\(plain)",
            "t:10:ffffff:1:1/pd:1:2:3:4/plain/\(plain)"),
        GoldenURL(
            "i71ayVZ6ccRWxHqXXovaL2wD2ZDhx3oNrSrimSMFTus",
            "/auto_rotate:False/rotate:270/background:16:32:48/plain/\(plain)",
            "ar:0/rot:270/bg:102030/plain/\(plain)"),
        GoldenURL(
            "gcD_yroGay6zCclZNPaREL_Hd9gCDpzV65FyUAV_nL8",
            "/background:ff00ff/background_alpha:0.5/adjust:-20:1.2:0.4/plain/\(plain)",
            "bg:ff00ff/bga:0.5/br:-20/co:1.2/sa:0.4/plain/\(plain)"),
        GoldenURL(
            "V-8S_2iiFfH0cgo0tvXkiT0OwmKtBxJUTI8PUPCETME",
            "/blur:1.5/pixelate:8/watermark:0.5:soea:10:-20:0.2/plain/\(plain)",
            "bl:1.5/pix:8/wm:0.5:soea:10:-20:0.2/plain/\(plain)"),
        GoldenURL(
            "Q4dgXCtnmsRS0rDOxFyQTQitAzluZAaFyV3S-EkBtyQ",
            "/wm:1:re:10:10:0.1/plain/\(plain)",
            "wm:1:re:10:10:0.1/plain/\(plain)"),
        GoldenURL(
            "7D8nhF9HvUTLyurbtrnZQNcqM3AyOAzMrig6kUw4H4o",
            """
            /msr:16.8/max_src_file_size:1000000/max_animation_frames:60/max_animation_frame_resolution:2/plain\
            /\(plain)
            """,
            "msr:16.8/msfs:1000000/maf:60/mafr:2/plain/\(plain)"),
        GoldenURL(
            "uvyCKCdVn40ylG1ApmfLJm9FDJSE0e7o9OYG6wYVeAA",
            "/width:5/aHR0cDovL2V4YW1wbGUuY29tL-aXpSBALmpwZw",
            "w:5/plain/http://example.com/%25E6%2597%25A5%2520%40.jpg"),
        GoldenURL(
            "ePNWvcL7KVSdOb0KUWQyj21i3S0PexUkoIJbHBn2ymM",
            """
            /format:webp/quality:70/max_bytes:40000/disable_animation:1/hashsum:md5:900150983CD24FB0D6963F7D28E17F72\
            /fallback_image_url:aHR0cDovL2EvYg/plain/\(plain)
            """,
            "q:70/mb:40000/da:1/hs:md5:900150983cd24fb0d6963f7d28e17f72/fiu:aHR0cDovL2EvYg/plain/\(plain)@webp"),
    ]

    private static let ofImgproxykit = [
        GoldenURL(
            "Rmen9oxQc_VqeOnwZXAplG-LyAE1FrVgMGzR2k9A2Dg",
            "/\(inBase64)",
            "plain/\(plain)"),
        GoldenURL(
            "JUvLhXrF4-v7J1OIMMzgCAhEkv-UvLH-W_27POd4WMA",
            "/resize:fill:96:96/quality:85/format:webp/\(inBase64)",
            "rt:fill/w:96/h:96/q:85/plain/\(plain)@webp"),
        GoldenURL(
            "E-HnW48-5cs92Ue6IRByPomzQHsxKjs_1oQ5WzlntTw",
            "/resize:fill-down:300:400:1:1/\(inBase64)",
            "rt:fill-down/w:300/h:400/el:1/ex:1/plain/\(plain)"),
        GoldenURL(
            "coFT32Q-TYqRgOvOOog4HgHWGCRIYJo_Uc_lwbtzwTg",
            "/size:800/min-width:1/format:avif/\(inBase64)",
            "w:800/mw:1/plain/\(plain)@avif"),
        GoldenURL(
            "HS_bTtXZjodvbilFvSEuvuZrB8N1V1ywVbeDXB_iz8U",
            "/crop:200:0.5:nowe:10:20/gravity:fp:0.3:0.7/dpr:2/\(inBase64)",
            "dpr:2/g:fp:0.3:0.7/c:200:0.5:nowe:10:20/plain/\(plain)"),
        GoldenURL(
            "t5aMOabxrPDvRsE_a2B2rXaLHbQzdVInz1Xvr2wn3Ic",
            "/trim:20:FF00FF::1/extend:1:sowe:1:2/extend_aspect_ratio:1:ea/\(inBase64)",
            "t:20:ff00ff:0:1/ex:1:sowe:1:2/exar:1:ea/plain/\(plain)"),
        GoldenURL(
            "6yUXaacNQKRbn5phG9MR6pqMPhCz9RWUbUz44VufvHU",
            "/padding:5::9/flip:1:1/background:128:64:32/auto_rotate:0/rotate:90/\(inBase64)",
            "pd:5:5:9:5/ar:0/rot:90/fl:1:1/bg:804020/plain/\(plain)"),
        GoldenURL(
            "7PdRLOaU6tNei2D7gWBY5e8XcT74TSng1lXUQc4VkGY",
            "/watermark:0.25:re:4:6/blur:0.5/sharpen:1/pixelate:3/\(inBase64)",
            "bl:0.5/sh:1/pix:3/wm:0.25:re:4:6:0/plain/\(plain)"),
        GoldenURL(
            "_cdYw958Lz_biAuHRP2yk0lDYRkEV6AxkpBI7zek6Xo",
            """
            /format_quality:avif:50:jpg:70/skip_processing:gif:jpg/max_bytes:100000/keep_copyright:0/strip_metadata:1\
            /cachebuster:v1/\(inBase64)
            """,
            "fq:jpeg:70:avif:50/mb:100000/kcr:0/skp:jpeg:gif/cb:v1/plain/\(plain)"),
        GoldenURL(
            "QnMGDLTxx87up5YqaNMx3evUwdRhzxrlM7UrXgryr1w",
            "/raw:1/filename:bXkgY2F0:1/return_attachment:1/expires:4102444800/\(inBase64)",
            "raw:1/plain/\(plain)"),
        GoldenURL(
            "xDETzMPIMOZUkuLrOZIxo7Ncrwd9U6_VzmuGBHT0unY",
            """
            /zoom:2:1.5/max_src_resolution:5/max_src_file_size:100/max_animation_frames:7\
            /max_animation_frame_resolution:0.5/max_result_dimension:1000/\(inBase64)
            """,
            "z:2:1.5/msr:5/msfs:100/maf:7/mafr:0.5/mrd:1000/plain/\(plain)"),
        GoldenURL(
            "j3hO1p0WVWzCxnZ5WRidOhF-KYsCe_QIOVgokILkIy4",
            "/strip_color_profile:1/enforce_thumbnail:0/preserve_hdr:0/czM6Ly9idWNrZXQvw7wgJS5qcGc",
            "plain/s3://bucket/%C3%BC%20%25.jpg"),
    ]
}
