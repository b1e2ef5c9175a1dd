import CalotypeBase
import Foundation
import Testing

@testable import CalotypeURLs

struct ImaginaryGrammarTests {
    @Test(
        arguments: [
            // An operation that names no size leaves the image as large as it is.
            ("/convert?type=webp", "@webp"), ("/flip", "fl:1:0"), ("/flop", "fl:0:1"), ("/autorotate", ""),
            ("/fit?width=300&height=200", "w:300/h:200"),
            ("/fit?width=300&height=200&force=true", "w:300/h:200/el:1"),
            ("/resize?width=300", "w:300"), ("/resize?height=200", "h:200"),
            ("/resize?width=300&force=1", "w:300/el:1"),
            ("/resize?width=300&height=200&force=true", "rt:force/w:300/h:200/el:1"),
            ("/resize?width=300&height=200&nocrop=false", "rt:fill/w:300/h:200"),
            ("/resize?width=300&height=200&nocrop=false&gravity=north", "rt:fill/w:300/h:200/g:no"),
            ("/resize?width=300&height=200&gravity=smart", "w:300/h:200"),
            ("/resize?width=300&height=200&extend=white", "w:300/h:200/ex:1/bg:ffffff"),
            ("/resize?width=300&height=200&extend=Black", "w:300/h:200/ex:1/bg:000000"),
            ("/resize?width=300&height=200&extend=background&background=1,2,3", "w:300/h:200/ex:1/bg:010203"),
            // A side that the image determines leaves no place for a canvas.
            ("/resize?width=300&extend=mirror", "w:300"),
            ("/enlarge?width=300&height=200", "rt:fill/w:300/h:200/el:1"),
            ("/enlarge?width=300&height=200&nocrop=true", "w:300/h:200/el:1"),
            ("/crop?width=300&height=200", "rt:fill/w:300/h:200"),
            ("/crop?width=300&height=200&gravity=west", "rt:fill/w:300/h:200/g:we"),
            ("/crop?width=300&height=200&force=true", "rt:force/w:300/h:200/el:1"),
            ("/crop?width=300", "c:300:0:ce"), ("/crop?height=200&gravity=south", "c:0:200:so"),
            ("/crop?width=320&aspectratio=16:9", "rt:fill/w:320/h:180"),
            // As in imaginary, in whole numbers.
            ("/crop?width=300&aspectratio=16:9", "rt:fill/w:300/h:162"),
            ("/crop?height=90&aspectratio=16:9", "rt:fill/w:160/h:90"),
            ("/crop?width=300&height=200&aspectratio=1:1", "rt:fill/w:300/h:200"),
            ("/smartcrop?width=300&height=200", "rt:fill/w:300/h:200/g:sm"),
            ("/smartcrop?width=300&height=200&gravity=north", "rt:fill/w:300/h:200/g:sm"),
            ("/smartcrop?width=300", "c:300:0:sm"),
            ("/thumbnail?width=100", "w:100/el:1"), ("/thumbnail?width=100&height=80", "rt:force/w:100/h:80/el:1"),
            ("/thumbnail?width=100&height=80&rotate=90", "w:100/h:80/rot:90"),
            ("/extract?top=10&left=20&areawidth=30&areaheight=40", "c:30:40:nowe:20:10"),
            ("/extract?areawidth=30&areaheight=40", "c:30:40:nowe"),
            ("/zoom?factor=2", "z:3:3/el:1"),
            ("/rotate?rotate=90", "rot:90"), ("/rotate?rotate=270&flip=true", "rot:90/fl:0:1"),
            // Both mirrorings are a half turn.
            ("/flip?flop=true", "rot:180"), ("/rotate?rotate=180&flip=1&flop=1", ""),
            ("/blur?sigma=2.5", "bl:2.5"), ("/blur?minampl=0.2", ""), ("/blur?sigma=5&width=300", "w:300/el:1/bl:5"),
            ("/convert?type=png&colorspace=bw", "sa:0@png"), ("/convert?type=png&colorspace=srgb", "@png"),
            ("/convert?type=jpeg&background=255,%20200,150", "bg:ffc896@jpeg"),
            ("/convert?type=jpeg&quality=60&interlace=true", "q:60/jpgo:1:0/pngo:1:0:256@jpeg"),
            ("/convert?type=PNG&palette=true", "pngo:0:1:256@png"),
            ("/convert?type=png&palette=true&colorspace=&quality=", "pngo:0:1:256@png"),
            ("/convert?type=avif&stripmeta=true", "kcr:0@avif"), ("/convert?type=jpg&norotation=true", "ar:0@jpeg"),
        ] as [(ByteString, ByteString)])
    func `an operation and its parameters are a rendition`(target: ByteString, expected: ByteString) throws {
        #expect(try rendition(target) == expected)
    }

    @Test(arguments: [
        "compression=9", "speed=3", "noprofile=true", "dpi=150", "margin=3", "opacity=0.5", "noreplicate=true",
        "textwidth=9", "font=sans", "color=1,2,3", "text=a", "image=http://127.0.0.1/", "url=http://127.0.0.1/a.jpg",
        "file=/etc/passwd", "field=upload", "sign=abc", "embed=true", "key=secret", "unknown=1", "v", "=",
        "extend=copy",
    ])
    func `a parameter that changes nothing of a fit is skipped`(parameter: String) throws {
        #expect(try rendition("/fit?\(parameter)&width=30&height=20&type=png") == "w:30/h:20@png")
    }

    @Test(
        arguments: [
            ("300", "w:300"), ("300.4", "w:300"), ("300.5", "w:301"), ("-300", "w:300"), ("3e2", "w:300"),
            ("8192", "w:8192"),
        ] as [(ByteString, ByteString)])
    func `a number in a query is rounded, and its sign does not count`(number: ByteString, expected: ByteString) throws
    {
        #expect(try rendition("/resize?width=\(number)") == expected)
    }

    @Test func `a parameter that comes twice counts as at first`() throws {
        #expect(try rendition("/resize?width=300&width=200&width=x") == "w:300")
        #expect(try rendition("/resize?wid%74h=300&width=200") == "w:300")
    }

    @Test(
        arguments: [
            ("image/webp,image/png", "@webp"), ("text/html, image/PNG;q=0.1 , image/webp", "@png"),
            ("image/avif,image/jpeg", "@jpeg"), ("*/*", ""), ("", ""), (",;,", ""),
        ] as [(ByteString, ByteString)])
    func `the type auto is the first of three that Accept names`(accept: ByteString, expected: ByteString) throws {
        #expect(try rendition("/convert?type=auto", accept: [accept]) == expected)
        let grammar = ImaginaryGrammar()
        #expect(try grammar.request(ImaginaryTarget("/convert?type=auto"), method: "POST").followsAccept)
        #expect(try !grammar.request(ImaginaryTarget("/convert?type=png"), method: "POST").followsAccept)
    }

    @Test(
        arguments: [
            ("/fit?width=300", ["fit: ", "\"width\"", "\"height\" is missing"]),
            ("/fit?width=0&height=200", ["\"height\" is missing"]), ("/fit?width=0.4&height=200", ["missing"]),
            ("/resize", ["resize: the parameter \"width\" or \"height\" is missing"]),
            ("/convert", ["convert: the parameter \"type\" is missing"]),
            ("/rotate?rotate=0", ["\"rotate\" is missing"]),
            ("/extract?top=1&left=1&areawidth=5", ["\"areaheight\" is missing"]), ("/zoom", ["\"factor\" is missing"]),
            ("/blur?sigma=0", ["\"sigma\" or \"minampl\""]),
            ("/resize?width=abc", ["resize: parameter \"width\": \"abc\" is not a number"]),
            ("/resize?width=8193", ["\"width\": \"8193\" is not from 0 to 8192"]),
            ("/resize?width=1e400", ["\"1e400\" is not a number"]), ("/resize?width=nan", ["not a number"]),
            ("/resize?width=0x10", ["not a number"]), ("/resize?width=99999999999999999999", ["not from 0 to 8192"]),
            ("/resize?width=300&force=yes", ["\"force\": \"yes\" is neither true nor false"]),
            ("/resize?width=300&height=200", ["\"extend\"", "copy (the default)", "nocrop=false"]),
            ("/resize?width=300&height=200&extend=mirror", ["\"extend\"", "\"mirror\""]),
            ("/resize?width=300&height=200&extend=white&background=1,2,3", ["background has another color"]),
            ("/resize?width=300&height=200&extend=white&sigma=2", ["blurs the image", "adds a canvas"]),
            ("/thumbnail?width=3&height=2&embed=true", ["\"extend\""]),
            ("/crop?width=3&gravity=northeast", ["\"gravity\": \"northeast\" is not one of north"]),
            ("/crop?width=3&aspectratio=16", ["\"aspectratio\": \"16\" is not a ratio"]),
            ("/crop?width=3&aspectratio=0:9", ["not a ratio"]), ("/crop?width=3&aspectratio=a:b", ["not a ratio"]),
            ("/crop?width=8000&aspectratio=1:60000", ["makes a side of more than 8192"]),
            ("/rotate?rotate=45", ["45 is not 90, 180 or 270"]), ("/rotate?rotate=360", ["not from 0 to 270"]),
            ("/extract?areawidth=5&areaheight=5&width=3", ["\"width\"", "pipeline"]),
            ("/zoom?factor=2&top=3", ["\"top\"", "\"extract\" before it"]), ("/zoom?factor=100", ["not from 0 to 99"]),
            ("/convert?type=gif", ["\"type\": \"gif\" is not one of auto, jpg, png, webp, avif"]),
            ("/convert?type=tiff", ["\"tiff\""]), ("/convert?type=svg", ["\"svg\""]),
            ("/convert?type=pdf", ["\"pdf\""]),
            ("/fit?width=3&height=2&quality=101", ["\"quality\": \"101\" is not from 0 to 100"]),
            ("/convert?type=png&colorspace=cmyk", ["\"colorspace\": \"cmyk\""]),
            ("/convert?type=png&background=1,2", ["\"background\": \"1,2\" is not a color"]),
            ("/convert?type=png&background=1,2,256", ["not a color"]),
            ("/convert?type=png&background=,,", ["not a color"]),
            ("/convert?type=png&colorspace=bw&background=1,2,3", ["colorspace=bw takes the color of the background"]),
            ("/blur?sigma=1001", ["\"sigma\": \"1001\" is not from 0 to 1000"]), ("/blur?sigma=a", ["not a number"]),
            ("/watermark?text=a", ["watermark: parameter \"text\": the server writes no text"]),
            ("/watermarkimage?image=http://127.0.0.1/", ["watermarkimage: parameter \"image\"", "loads no image"]),
            ("/fit?width=3%&height=2", ["the parameter \"width\" has a \"%\""]),
            ("/fit?wi%zzdth=3&width=3&height=2", ["the parameter \"wi%zzdth\""]),
        ] as [(ByteString, [String])])
    func `a wrong parameter is refused by its name`(target: ByteString, parts: [String]) {
        expectRefusal(target, naming: parts)
    }

    @Test func `the document has every operation and every parameter of imaginary`() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
        let text = try String(contentsOf: folder.appending(path: "Documentation/Nextcloud.md"), encoding: .utf8)
        let parameters = """
            width height top left areawidth areaheight quality compression palette rotate factor margin dpi textwidth opacity
            flip flop force embed nocrop noreplicate norotation noprofile stripmeta text font color image type gravity file
            url colorspace field extend background sigma minampl operations sign interlace aspectratio speed key
            """
        let names = parameters.split { $0 == " " || $0 == "\n" }.map(String.init)
        for name in names + ImaginaryOperation.all.map(\.name.string) + ["/pipeline", "/info", "/health"] {
            #expect(text.contains("\(name)`"), "\(name)")
        }
    }

    @Test func `paths without an operation take their own methods`() throws {
        let grammar = ImaginaryGrammar()
        #expect(try grammar.request(ImaginaryTarget("/health"), method: "GET").task == .health)
        #expect(try grammar.request(ImaginaryTarget("/info?width=x"), method: "POST").task == .info)
        #expect(ImaginaryGrammar.method(at: "/health") == "GET")
        #expect(ImaginaryGrammar.method(at: "/info") == "POST")
    }

    @Test(arguments: ["GET", "HEAD", "PUT", "DELETE", "OPTIONS", "post", ""] as [ByteString])
    func `a method other than POST is refused with the one to take`(method: ByteString) {
        for path in ["/fit?width=1&height=1", "/pipeline", "/info", "/re%73ize?width=1"] as [ByteString] {
            let target = ImaginaryTarget(path)
            let error = #expect(throws: RenditionError.self) {
                try ImaginaryGrammar().request(target, method: method)
            }
            #expect(error?.status == 405)
            #expect(ImaginaryGrammar.method(at: target.path) == "POST")
        }
    }

    @Test(arguments: [
        "/", "", "*", "/form", "/Fit", "/fit/", "//fit", "/fit%2f", "fit", "/%", "/metrics", "/watermarkImage",
    ])
    func `an unknown path is not found`(path: String) {
        for method in ["GET", "POST", "HEAD"] as [ByteString] {
            let error = #expect(throws: RenditionError.self) {
                try ImaginaryGrammar().request(ImaginaryTarget(ByteString(path)), method: method)
            }
            #expect(error?.status == 404)
        }
        #expect(ImaginaryGrammar.method(at: ByteString(path)) == nil)
    }
}
