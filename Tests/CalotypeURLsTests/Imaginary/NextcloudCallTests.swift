import CalotypeBase
import Testing

@testable import CalotypeURLs

/// The calls of Nextcloud's preview provider, in the three forms that it has had.
struct NextcloudCallTests {
    /// The settings of Nextcloud that a call depends on.
    struct Call: Sendable, CustomTestStringConvertible {
        var mimeType: String
        var width = 4096
        var height = 4096
        var isCropped = false
        /// The setting `preview_format`.
        var format = "jpeg"
        /// The setting `jpeg_quality` or `webp_quality`, in JSON: text, or a number in newer versions.
        var quality = "\"80\""
        var key = ""

        /// The target as PHP and Guzzle write it.
        var target: ByteString {
            let steps = [first, second].compactMap(\.self).joined(separator: ",")
            let operations = CalotypeURLsTests.pipeline(ByteString("[\(steps)]"))
            return "\(operations)&key=\(ByteString(key).percentEncoded { $0.isUnreserved })"
        }

        private var isConverted: Bool {
            ["image/svg+xml", "application/pdf", "application/illustrator"].contains(mimeType)
        }

        private var type: String {
            if format == "webp" { return "webp" }
            return isConverted || ["image/gif", "image/png"].contains(mimeType) ? "png" : "jpeg"
        }

        private var first: String? {
            if isConverted { return #"{"operation":"convert","params":{"type":"\#(type)"}}"# }
            return mimeType == "image/heic" ? nil : #"{"operation":"autorotate"}"#
        }

        private var second: String {
            #"{"operation":"\#(isCropped ? "smartcrop" : "fit")","params":{"width":\#(width),"height":\#(height),"#
                + #""stripmeta":"true","type":"\#(type)","norotation":"true","quality":\#(quality)}}"#
        }

        var testDescription: String { "\(mimeType), \(isCropped ? "smartcrop" : "fit"), \(format)" }
    }

    private static let mimeTypes = [
        "image/jpeg", "image/png", "image/gif", "image/heic", "image/heif", "image/svg+xml", "image/tiff", "image/webp",
        "image/bmp", "image/x-bitmap", "application/pdf", "application/illustrator",
    ]

    @Test(arguments: mimeTypes, [false, true])
    func `each type of file has a preview in each format`(mimeType: String, isCropped: Bool) throws {
        for format in ["jpeg", "webp"] {
            let call = Call(mimeType: mimeType, width: 256, height: 192, isCropped: isCropped, format: format)
            let size: ByteString = isCropped ? "rt:fill/w:256/h:192/g:sm" : "w:256/h:192"
            // What is not turned by EXIF is upright by itself: HEIC by its own properties.
            let isUprightByEXIF = !["image/heic"].contains(mimeType)
            let isPNG = ["image/png", "image/gif", "image/svg+xml", "application/pdf", "application/illustrator"]
                .contains(mimeType)
            let type = format == "webp" ? "webp" : isPNG ? "png" : "jpeg"
            #expect(try rendition(call.target) == "\(size)\(isUprightByEXIF ? "" : "/ar:0")/q:80/kcr:0@\(type)")
        }
    }

    @Test func `the query of a photograph is that of PHP, byte by byte`() throws {
        let call = Call(mimeType: "image/jpeg", width: 1024, height: 768, key: "pa55 word")
        #expect(
            call.target
                == """
                /pipeline?operations=%5B%7B%22operation%22%3A%22autorotate%22%7D%2C%7B%22operation%22%3A%22fit%22%2C%22params\
                %22%3A%7B%22width%22%3A1024%2C%22height%22%3A768%2C%22stripmeta%22%3A%22true%22%2C%22type%22%3A%22jpeg%22%2C\
                %22norotation%22%3A%22true%22%2C%22quality%22%3A%2280%22%7D%7D%5D&key=pa55%20word
                """)
        #expect(ImaginaryTarget(call.target).key == "pa55 word")
        #expect(try rendition(call.target) == "w:1024/h:768/q:80/kcr:0@jpeg")
    }

    @Test(
        arguments: [
            ("\"80\"", "/q:80"), ("80", "/q:80"), ("\"100\"", "/q:100"), ("30", "/q:30"), ("\"\"", ""), ("\"0\"", ""),
        ] as [(String, ByteString)])
    func `the quality is a text or a number`(quality: String, expected: ByteString) throws {
        let call = Call(mimeType: "image/webp", width: 64, height: 64, quality: quality)
        #expect(try rendition(call.target) == "w:64/h:64\(expected)/kcr:0@jpeg")
    }

    @Test func `without a key the parameter is empty`() {
        #expect(Call(mimeType: "image/png").target.hasSuffix("&key="))
        #expect(ImaginaryTarget(Call(mimeType: "image/png").target).key == nil)
    }

    @Test func `the calls of the first two versions are understood`() throws {
        #expect(
            try rendition("/fit?width=1024&height=768&stripmeta=true&type=jpeg") == "w:1024/h:768/kcr:0@jpeg")
        let second: ByteString = #"""
            [{"operation":"autorotate"},{"operation":"smartcrop","params":{"width":64,"height":64,"stripmeta":"true",\#
            "type":"png","norotation":"true"}}]
            """#
        #expect(try rendition(pipeline(second)) == "rt:fill/w:64/h:64/g:sm/kcr:0@png")
    }
}
