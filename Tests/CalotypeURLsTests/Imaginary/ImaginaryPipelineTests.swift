import CalotypeBase
import Testing

@testable import CalotypeURLs

struct ImaginaryPipelineTests {
    /// Returns the JSON of operations, each with its parameters as "name=value&name=value".
    private static func json(_ operations: [(String, String)]) -> ByteString {
        let objects = operations.map { name, parameters in
            let members = parameters.split(separator: "&").map { pair in
                let words = pair.split(separator: "=", maxSplits: 1)
                return "\"\(words[0])\":\"\(words[1])\""
            }
            return "{\"operation\":\"\(name)\",\"params\":{\(members.joined(separator: ","))}}"
        }
        return ByteString("[\(objects.joined(separator: ","))]")
    }

    @Test(
        arguments: [
            ([("fit", "width=30&height=20"), ("convert", "type=webp&quality=50")], "w:30/h:20/q:50@webp"),
            ([("convert", "type=png&quality=50"), ("fit", "width=30&height=20&type=jpeg")], "w:30/h:20/q:50@jpeg"),
            // What comes before a turn is turned along.
            ([("fit", "width=30&height=20"), ("rotate", "rotate=90")], "w:20/h:30/rot:90"),
            ([("rotate", "rotate=90"), ("fit", "width=30&height=20")], "w:30/h:20/rot:90"),
            ([("rotate", "rotate=90"), ("rotate", "rotate=270")], ""), ([("flip", "a=b"), ("flop", "a=b")], "rot:180"),
            ([("flip", "a=b"), ("rotate", "rotate=90")], "rot:90/fl:0:1"),
            ([("rotate", "rotate=90"), ("flip", "a=b")], "rot:90/fl:1:0"),
            ([("crop", "width=30&height=20&gravity=north"), ("rotate", "rotate=90")], "rt:fill/w:20/h:30/g:ea/rot:90"),
            ([("crop", "width=30&height=20&gravity=west"), ("flip", "a=b")], "rt:fill/w:30/h:20/g:ea/fl:1:0"),
            ([("crop", "width=30&height=20&gravity=south"), ("flop", "a=b")], "rt:fill/w:30/h:20/g:no/fl:0:1"),
            ([("smartcrop", "width=30&height=20"), ("rotate", "rotate=90")], "rt:fill/w:20/h:30/g:sm/rot:90"),
            (
                [("extract", "left=1&top=2&areawidth=3&areaheight=4"), ("rotate", "rotate=90")],
                "c:4:3:noea:2:1/rot:90"
            ),
            (
                [("extract", "left=1&top=2&areawidth=3&areaheight=4"), ("rotate", "rotate=180")],
                "c:3:4:soea:1:2/rot:180"
            ),
            ([("extract", "left=1&top=2&areawidth=3&areaheight=4"), ("flop", "a=b")], "c:3:4:sowe:1:2/fl:0:1"),
            (
                [("extract", "left=1&areawidth=3&areaheight=4"), ("resize", "width=9&force=true")],
                "w:9/el:1/c:3:4:nowe:1:0"
            ),
            ([("crop", "width=30"), ("fit", "width=10&height=10")], "w:10/h:10/c:30:0:ce"),
            ([("extract", "areawidth=3&areaheight=4"), ("zoom", "factor=1")], "z:2:2/el:1/c:3:4:nowe"),
            ([("fit", "width=30&height=20"), ("blur", "sigma=2")], "w:30/h:20/bl:2"),
            ([("fit", "width=30&height=20&sigma=2"), ("rotate", "rotate=90")], "w:20/h:30/rot:90/bl:2"),
            ([("blur", "sigma=2"), ("resize", "width=30&height=20&extend=white&noop=1")], nil),
            (
                [("resize", "width=30&height=20&extend=white"), ("rotate", "rotate=90")],
                "w:20/h:30/ex:1/rot:90/bg:ffffff"
            ),
            ([("flip", "colorspace=bw"), ("blur", "sigma=2")], "fl:1:0/sa:0/bl:2"),
            ([("blur", "sigma=2"), ("flip", "colorspace=bw")], "fl:1:0/sa:0/bl:2"),
            ([("flip", "colorspace=bw"), ("flip", "background=1,2,3")], "bg:010203/sa:0"),
            ([("flip", "background=1,2,3"), ("flip", "colorspace=bw")], nil),
            ([("flip", "background=9,9,9"), ("flip", "colorspace=bw")], "bg:090909/sa:0"),
            // The second background has no transparency to cover.
            ([("flip", "background=1,2,3"), ("flip", "background=4,5,6")], "bg:010203"),
            ([("convert", "type=jpeg"), ("flip", "background=4,5,6")], "fl:1:0@jpeg"),
            // Neither has the second file, after a JPEG.
            ([("convert", "type=jpeg"), ("convert", "type=png")], "bg:ffffff@png"),
            ([("convert", "type=jpeg&background=1,2,3"), ("convert", "type=png")], "bg:010203@png"),
            ([("convert", "type=png"), ("convert", "type=webp")], "@webp"),
            ([("flip", "background=1,2,3"), ("resize", "width=3&height=2&extend=white")], nil),
            (
                [("flip", "background=255,255,255"), ("resize", "width=3&height=2&extend=white")],
                "w:3/h:2/fl:1:0/ex:1/bg:ffffff"
            ),
            ([("resize", "width=3&height=2&extend=white"), ("flip", "background=1,2,3")], nil),
            // What needs two renditions.
            ([("fit", "width=30&height=20"), ("fit", "width=3&height=2")], nil),
            ([("resize", "width=30"), ("crop", "height=20")], nil),
            ([("zoom", "factor=1"), ("resize", "width=3")], nil),
            ([("blur", "sigma=2"), ("fit", "width=3&height=2")], nil),
            ([("blur", "sigma=2"), ("blur", "sigma=2")], nil),
            ([("blur", "sigma=2"), ("crop", "width=3")], nil), ([("crop", "width=3"), ("crop", "height=3")], nil),
            ([("fit", "width=30&height=20"), ("extract", "areawidth=3&areaheight=4")], nil),
            ([("fit", "width=30&height=20"), ("watermark", "text=a")], nil),
            ([("flip", "a=b"), ("watermarkImage", "image=http://127.0.0.1/")], nil),
            ([("convert", "type=webp"), ("convert", "type=gif")], nil),
        ] as [([(String, String)], ByteString?)])
    func `operations have the rendition to which they lead one by one, or none`(
        operations: [(String, String)], expected: ByteString?
    ) throws {
        let target = pipeline(Self.json(operations))
        guard let expected else {
            return expectRefusal(target, naming: ["operation 2 (\(operations[1].0.lowercased()))"])
        }
        let text = try rendition(target)
        let parts = { (text: ByteString) in Set(text.string.replacing("@", with: "/@").split(separator: "/")) }
        #expect(parts(text) == parts(expected), "\(text)")
    }

    // MARK: Orientation

    @Test(
        arguments: [
            ([("autorotate", ""), ("fit", "width=3&height=2&norotation=true")], true),
            ([("autorotate", ""), ("autorotate", "")], true), ([("fit", "width=3&height=2")], true),
            ([("fit", "width=3&height=2&norotation=true")], false),
            ([("fit", "width=3&height=2&norotation=true"), ("convert", "type=png&norotation=true")], false),
            // A conversion moves no pixel, so that the image can still be turned.
            ([("convert", "type=png&norotation=true"), ("autorotate", "")], true),
            // Without metadata, no orientation is left.
            ([("convert", "type=png&norotation=true&stripmeta=true"), ("autorotate", "")], false),
            ([("fit", "width=3&height=2&norotation=true&stripmeta=true"), ("convert", "type=png")], false),
            // The size would be that of the image as it is stored.
            ([("fit", "width=3&height=2&norotation=true"), ("convert", "type=png")], nil),
            ([("flip", "norotation=true"), ("autorotate", "")], nil),
        ] as [([(String, String)], Bool?)])
    func `an image is turned upright once`(operations: [(String, String)], isUpright: Bool?) throws {
        let target = pipeline(Self.json(operations))
        guard let isUpright else { return expectRefusal(target, naming: ["operation 2", "norotation"]) }
        #expect(try rendition(target).contains("ar:0") != isUpright)
    }

    // MARK: JSON

    @Test(
        arguments: [
            (#"{"width":300.7,"height":"200.5","type":"png"}"#, "w:300/h:201@png"),
            (#"{"width":300,"height":200,"norotation":true,"quality":"80"}"#, "w:300/h:200/ar:0/q:80"),
            (#"{"width":3e2,"height":2.0E2,"stripmeta":"true"}"#, "w:300/h:200/kcr:0"),
            (#"{"width":300,"height":200,"unknown":[{"a":null}],"key":"b"}"#, "w:300/h:200"),
            (#"{"wid\u0074h":300,"height":200,"stripmeta":""}"#, "w:300/h:200"),
        ] as [(ByteString, ByteString)])
    func `parameters are numbers, texts or truth values`(parameters: ByteString, expected: ByteString) throws {
        let list: ByteString = "[{\"operation\":\"fit\", \"params\": \(parameters), \"ignore_failure\":null}]"
        let text = try rendition(pipeline(list))
        #expect(Set(text.string.split(separator: "/")) == Set(expected.string.split(separator: "/")), "\(text)")
    }

    @Test(
        arguments: [
            "", "[", "[]", "{}", "null", "1", "\"\"", "[1]", "[[]]", "[{}]", "[null]", #"[{"operation":1}]"#,
            #"[{"operation":"fit"}]"#, #"[{"operation":"Fit"}]"#, #"[{"operation":"pipeline"}]"#,
            #"[{"operation":"info"}]"#,
            #"[{"operation":"flip","params":[]}]"#, #"[{"operation":"flip","params":1}]"#,
            #"[{"operation":"flip","ignore_failure":1}]"#, #"[{"operation":"flip","extra":1}]"#,
            #"[{"operation":"flip"}"#, #"[{"operation":"flip"}] x"#,
            #"[{"operation":"resize","params":{"width":true}}]"#, #"[{"operation":"resize","params":{"width":null}}]"#,
            #"[{"operation":"resize","params":{"width":-3}}]"#, #"[{"operation":"resize","params":{"width":[3]}}]"#,
            #"[{"operation":"resize","params":{"width":1e999}}]"#, #"[{"operation":"resize","params":{"width":1e30}}]"#,
            #"[{"operation":"resize","params":{"width":0.9}}]"#, #"[{"operation":"convert","params":{"type":1}}]"#,
            #"[{"operation":"flip","params":{"flop":1}}]"#, #"[{"operation":"fl\ud800ip"}]"#,
        ] as [ByteString])
    func `a list that is none is refused`(operations: ByteString) {
        expectRefusal(pipeline(operations), naming: [])
    }

    @Test(
        arguments: ["[", "{\"a\":", "[{\"operation\":\"flip\",\"params\":{\"a\":", "[{\"operation\":"] as [ByteString])
    func `a list of ten thousand levels is refused before it is parsed`(start: ByteString) {
        for piece in [start, "["] as [ByteString] {
            let deep = Array(repeating: piece, count: 10_000).joined()
            expectRefusal("/pipeline?operations=\(start)\(deep)", naming: ["too deep"])
        }
    }

    @Test(arguments: [1, 2, 16, 17, 1000])
    func `a list has at most as many operations as the server permits`(limit: Int) throws {
        func list(_ count: Int) -> ByteString {
            "/pipeline?operations=[\(Array(repeating: "{\"operation\":\"flip\"}", count: count).joined(separator: ","))]"
        }
        // Beyond 700 of them, the text is too long.
        for count in [1, limit].filter({ $0 <= 700 }) {
            #expect(try rendition(list(count), limit: limit) == (count.isMultiple(of: 2) ? "" : "fl:1:0"))
        }
        for count in [limit + 1, 10_000] {
            expectRefusal(
                list(count), naming: ["has \(count) operations, and the server permits \(limit)"], limit: limit)
        }
    }

    @Test func `a list has at most 16384 bytes`() throws {
        func list(_ length: Int) -> ByteString {
            let (start, end) = ("[{\"operation\":\"flip\",\"params\":{\"a\":\"", "\"}}]")
            return ByteString(start + String(repeating: "[", count: length - start.count - end.count) + end)
        }
        for length in [100, 16_383, 16_384] {
            #expect(try rendition("/pipeline?operations=\(list(length))") == "fl:1:0")
        }
        expectRefusal("/pipeline?operations=\(list(16_385))", naming: ["16385 bytes"])
    }

    @Test func `a list that is cut short is refused wherever that is`() throws {
        let list: ByteString =
            #"[{"operation":"fit","ignore_failure":false,"params":{"width":30,"height":"20","force":true}}]"#
        #expect(try rendition(pipeline(list)) == "w:30/h:20/el:1")
        for length in 0..<list.count {
            expectRefusal(pipeline(ByteString(bytes: list.bytes.prefix(length))), naming: ["operations"])
        }
    }

    @Test func `an operation that may fail is skipped without its parameters, but not if the server refuses it`() throws
    {
        let flip = #"{"operation":"flip"}"#
        func list(_ operation: String) -> ByteString { pipeline(ByteString("[\(operation),\(flip)]")) }
        #expect(try rendition(list(#"{"operation":"fit","ignore_failure":true}"#)) == "fl:1:0")
        expectRefusal(list(#"{"operation":"fit","ignore_failure":false}"#), naming: ["operation 1 (fit)", "missing"])
        expectRefusal(
            list(#"{"operation":"watermark","ignore_failure":true,"params":{"text":"a"}}"#), naming: ["no text"])
        expectRefusal(
            list(#"{"operation":"wave","ignore_failure":true}"#), naming: ["operation 1", "no operation \"wave\""])
    }
}
