import CalotypeCodecs
import CalotypeFuzzSupport
import CalotypeTesting
import Foundation
import Testing

/// Section 8: `calotype resize`.
struct ResizeTests {
    private let calotype: Calotype

    init() throws { calotype = try Calotype() }

    @Test func `a file becomes a smaller one, in the format that its name says`() async throws {
        try calotype.write(Pictures.jpeg(), to: "in.jpg")
        let ending = try await calotype("resize", "in.jpg", "out.webp", "--size", "60x60", "--mode", "fill")
        #expect(ending.status == 0, "\(ending.errors)")
        let header = try Pictures.header(try calotype.contents("out.webp"))
        #expect(header.format == .webp)
        #expect(header.uprightSize == PixelSize(60, 60))
        #expect(calotype.files == ["in.jpg", "out.webp"])
    }

    @Test func `a file with all of its pixels is resized, whatever its end`() async throws {
        let bitmap = SamplePhotos.bitmap(width: 90, height: 60)
        let progressive = try bitmap.encoded(as: .jpeg(quality: 80, isProgressive: true))
        try calotype.write(Pictures.jpeg().dropLast(2), to: "in/a.jpg")
        try calotype.write(progressive.dropLast(2), to: "in/b.jpg")
        try calotype.write(Pictures.png().dropLast() + [0], to: "in/c.png")
        let ending = try await calotype("resize", "in", "-o", "out", "--size", "20")
        #expect(ending.status == 0, "\(ending.errors)")
        #expect(ending.lines.count == 3)
    }

    @Test func `every writing option reaches its format`() async throws {
        try calotype.write(Pictures.jpeg(), to: "in.jpg")
        func made(_ name: String, _ options: String...) async throws -> (header: ImageHeader, bytes: Int) {
            let ending = try await calotype.start(["resize", "in.jpg", name, "--size", "60"] + options).ending()
            #expect(ending.status == 0, "\(options): \(ending.errors)")
            let file = try calotype.contents(name)
            return (try Pictures.header(file), file.count)
        }
        let avif = try await made("a.avif")
        #expect(avif.header.format == .avif)
        #expect(try await made("b.avif", "--quality", "95").bytes > avif.bytes)
        #expect(try await made("c.bin", "--format", "avif").header.format == .avif)
        #expect(try await made("d.avif", "--avif-speed", "10").bytes != avif.bytes)
        let jpeg = try await made("a.jpg")
        let progressive = try await made("b.jpg", "--progressive")
        #expect(!jpeg.header.isProgressive && progressive.header.isProgressive)
        #expect(try await made("c.jpg", "--keep-colors").header.samplesPerPixel == 3)
        #expect(jpeg.header.samplesPerPixel == 1.5)
        #expect(try await made("d.jpg", "--keep-profile").bytes == jpeg.bytes + 606)
        #expect(try await made("a.webp").header.codec == "VP8")
        #expect(try await made("b.webp", "--lossless").header.codec == "VP8L")
        for (format, option) in [("png", "--lossless"), ("avif", "--progressive"), ("webp", "--keep-colors")] {
            let ending = try await calotype("resize", "in.jpg", "o", "--format", format, option)
            #expect(ending.status == 2 && ending.errors.contains(option))
        }
    }

    @Test(arguments: ["jpg", "avif"])
    func `a result keeps the gain map on demand`(format: String) async throws {
        try calotype.write(try GainMapSeeds.all[0], to: "in.jpg")
        for (name, words) in [("none", []), ("drop", ["--gain-maps", "drop"]), ("keep", ["--gain-maps", "keep"])] {
            let size = ["--size", "20", "--step", "brightness=1.1"]
            let result = "\(name).\(format)"
            let ending = try await calotype.start(["resize", "in.jpg", result] + size + words).ending()
            #expect(ending.status == 0, "\(ending.errors)")
            #expect(try GainMap.isPresent(in: calotype.contents(result)) == (name == "keep"))
        }
    }

    @Test func `a result keeps colors beyond sRGB on demand`() async throws {
        let red = try Bitmap(width: 8, height: 8, hasAlpha: false) { pixels, _ in
            for place in pixels.indices { pixels[place] = [0, 0, 255, 255][place % 4] }
        }
        // The same pixels in Display P3, whose red sRGB lacks.
        var file = try red.encoded(as: .avif(quality: 95))
        file[try #require(file.range(of: Data("nclx".utf8))).upperBound + 1] = 12
        try calotype.write(file, to: "in.avif")
        for (name, words) in [("none", []), ("srgb", ["--gamut", "srgb"]), ("keep", ["--gamut", "keep"])] {
            let ending = try await calotype.start(["resize", "in.avif", "\(name).jpg"] + words).ending()
            #expect(ending.status == 0, "\(ending.errors)")
            let colors = DecoderRegistry.standard.colors(of: try calotype.contents("\(name).jpg"))
            #expect(colors == (name == "keep" ? "Display P3" : nil))
        }
    }

    @Test func `an animation keeps colors beyond sRGB on demand`() async throws {
        let first = try DecoderRegistry.standard.decode(
            SamplePhotos.displayP3PNG(width: 40, height: 30), gamut: .displayP3)
        let writer = try AnimatedWebPWriter(size: first.size, loopCount: nil, gamut: first.gamut)
        for bitmap in [first, try first.applying(.flip(.horizontal))] { try writer.add(bitmap, duration: .seconds(1)) }
        try calotype.write(writer.finish(), to: "in.webp")
        for (name, words) in [("none", []), ("srgb", ["--gamut", "srgb"]), ("keep", ["--gamut", "keep"])] {
            let size = ["--size", "20"]
            let ending = try await calotype.start(["resize", "in.webp", "\(name).webp"] + size + words).ending()
            #expect(ending.status == 0, "\(ending.errors)")
            let file = try calotype.contents("\(name).webp")
            #expect(try Pictures.header(file).frameCount == 2)
            #expect(DecoderRegistry.standard.colors(of: file) == (name == "keep" ? "Display P3" : nil))
        }
        #expect(try calotype.contents("none.webp") == calotype.contents("srgb.webp"))
    }

    @Test func `an animation keeps its motion as WebP, and --first-frame is one frame`() async throws {
        try calotype.write(SampleAnimations.gif(width: 40, height: 30, colors: [0xFF0000, 0x0000FF]), to: "in.gif")
        for (words, frames) in [
            (["out.webp"], 2), (["once.webp", "--first-frame"], 1), (["still.png"], 1),
        ] {
            let ending = try await calotype.start(["resize", "in.gif"] + words + ["--size", "20"]).ending()
            #expect(ending.status == 0, "\(ending.errors)")
            let header = try Pictures.header(try calotype.contents(words[0]))
            #expect(header.frameCount == frames && header.uprightSize == PixelSize(20, 15), "\(words)")
        }
        let pipe = try await calotype.start(["resize", "in.gif", "-", "--step", "grayscale"]).ending()
        #expect(try Pictures.header(pipe.output).frameCount == 2)
    }

    @Test func `--filter chooses how it is scaled`() async throws {
        try calotype.write(Pictures.png(), to: "in.png")
        var files: [Data] = []
        for filter in ["automatic", "box", "bilinear", "catmull-rom", "lanczos3"] {
            let ending = try await calotype("resize", "in.png", "\(filter).png", "--size", "30", "--filter", filter)
            #expect(ending.status == 0, "\(ending.errors)")
            files.append(try calotype.contents("\(filter).png"))
        }
        #expect(Set(files).count == 4 && files[0] == files[4])
    }

    @Test func `--step does what it names, and several in their order`() async throws {
        try calotype.write(Pictures.png(), to: "in.png")
        func made(_ steps: String...) async throws -> Data {
            let options = steps.flatMap { ["--step", $0] }
            let words = ["resize", "in.png", "-", "--format", "png", "--size", "40"] + options
            let ending = try await calotype.start(words).ending()
            #expect(ending.status == 0, "\(steps): \(ending.errors)")
            return ending.output
        }
        let plain = try await made()
        let height = try Pictures.size(plain).height
        #expect(try await Pictures.size(made("crop=30x10", "pad=5,#fff", "rotate=90")) == PixelSize(20, 40))
        #expect(try await Pictures.size(made("rotate=90", "crop=30x10")) == PixelSize(min(height, 30), 10))
        let changes = [
            "blur=2", "sharpen", "sharpen=2,1.5", "flip=horizontal", "rotate=-90", "grayscale", "tint=#f80", "circle",
            "brightness=1.3", "contrast=0.5", "saturation=2", "pixelate=4", "border=2,black", "round=8", "square",
            "square=attention", "extend=80x80,white,top", "overlay=in.png,top-left,0.5,0.3", "resize=20x20,exact",
        ]
        for step in changes { #expect(try await made(step) != plain, "\(step)") }
        for step in ["trim=0", "background=#fff"] { _ = try await made(step) }
    }

    @Test(arguments: ["center,9", "center,-1", "center,1,-1", "center,1,0", "center,1,2", "center,nan"])
    func `an opacity or a scale of an overlay that makes no sense is an error`(values: String) async throws {
        try calotype.write(Pictures.png(), to: "in.png")
        let ending = try await calotype("resize", "in.png", "out.png", "--step", "overlay=in.png,\(values)")
        #expect(ending.status == 2 && ending.errors.contains("expected overlay="))
        #expect(calotype.files == ["in.png"])
    }

    @Test func `--gravity chooses what a filled size keeps`() async throws {
        try calotype.write(Pictures.png(), to: "in.png")
        var files: [Data] = []
        for gravity in ["left", "right"] {
            let ending = try await calotype(
                "resize", "in.png", "-", "--size", "10x40", "--mode", "fill", "--gravity", gravity)
            #expect(ending.status == 0, "\(ending.errors)")
            files.append(ending.output)
        }
        #expect(files[0] != files[1])
    }

    @Test func `it works in a pipe, in the format that came`() async throws {
        let ending = try await calotype("resize", "-", "-", "--size", "30", input: Pictures.png(hasAlpha: true))
        #expect(ending.status == 0, "\(ending.errors)")
        #expect(try Pictures.header(ending.output).format == .png)
        #expect(try Pictures.header(ending.output).hasAlpha)
        #expect(try Pictures.size(ending.output) == PixelSize(30, 20))
    }

    @Test func `the path of each written file is printed`() async throws {
        try calotype.write(Pictures.jpeg(), to: "in.jpg")
        #expect(try await calotype("resize", "in.jpg", "out.jpg", "--size", "30").lines == ["out.jpg"])
        #expect(try await calotype("resize", "in.jpg", "-o", "new.jpg", "--size", "30").lines == ["new.jpg"])
    }

    @Test func `--format is enough where the name says nothing`() async throws {
        try calotype.write(Pictures.jpeg(), to: "in.jpg")
        #expect(try await calotype("resize", "in.jpg", "out", "--size", "30", "--format", "png").status == 0)
        #expect(try Pictures.header(try calotype.contents("out")).format == .png)
    }

    @Test(arguments: ["out", "out/", "out.jpg", "new/", "new/deep/", "a.jpg/"])
    func `a folder as OUT gets the result under the name of the input`(_ folder: String) async throws {
        try calotype.write(Pictures.jpeg(), to: "in.jpg")
        try calotype.write("", to: "out/other")
        try calotype.write("", to: "out.jpg/other")
        let ending = try await calotype("resize", "in.jpg", folder, "--size", "30")
        #expect(ending.status == 0, "\(ending.errors)")
        let path = folder.hasSuffix("/") ? "\(folder)in.jpg" : "\(folder)/in.jpg"
        #expect(ending.lines == [path])
        #expect(try Pictures.size(try calotype.contents(path)) == PixelSize(30, 20))
        let again = try await calotype("resize", "in.jpg", folder, "--size", "30")
        #expect(again.status == 1 && again.errors.contains("\(path) already exists; --overwrite replaces it"))
    }

    @Test func `a file with a slash behind it is no folder`() async throws {
        try calotype.write(Pictures.jpeg(), to: "in.jpg")
        let ending = try await calotype("resize", "in.jpg", "in.jpg/", "--size", "30")
        #expect(ending.status == 2)
        #expect(ending.errors.hasPrefix("calotype: in.jpg/: the directory cannot be created"), "\(ending.errors)")
    }

    @Test func `a result that is too large to make is named, with the limit in MB`() async throws {
        try calotype.write(Pictures.jpeg(), to: "in.jpg")
        let ending = try await calotype(
            "resize", "in.jpg", "out.jpg", "--size", "30000", "--upscale", "--max-decode", "512MB")
        #expect(ending.status == 1)
        #expect(
            ending.errors.firstMatch(
                of: /^calotype: in.jpg: a result of 30000 × 20000 pixels takes \d+ MB of memory, and at most 512 MB/)
                != nil, "\(ending.errors)")
    }

    @Test func `a quality in the environment is for the formats that have one`() async throws {
        try calotype.write(Pictures.jpeg(), to: "in.jpg")
        for name in ["out.png", "out.jpg", "fine.jpg"] {
            let quality = name == "fine.jpg" ? "95" : "5"
            let ending = try await calotype("resize", "in.jpg", name, environment: ["CALOTYPE_QUALITY": quality])
            #expect(ending.status == 0, "\(ending.errors)")
        }
        #expect(try calotype.contents("out.jpg").count < calotype.contents("fine.jpg").count)
    }

    @Test func `an option applies to those of several inputs that have it`() async throws {
        try calotype.write(Pictures.jpeg(), to: "a.jpg")
        try calotype.write(Pictures.png(), to: "b.png")
        let ending = try await calotype("resize", "a.jpg", "b.png", "-o", "out", "-q", "10")
        #expect(ending.status == 0 && ending.lines.count == 2, "\(ending.errors)")
    }

    @Test func `a file that is there stays unless --overwrite is given`() async throws {
        try calotype.write(Pictures.jpeg(), to: "in.jpg")
        let refused = try await calotype("resize", "in.jpg", "in.jpg", "--size", "30")
        #expect(refused.status == 1)
        #expect(try calotype.contents("in.jpg") == Pictures.jpeg())
        #expect(try await calotype("resize", "in.jpg", "in.jpg", "--size", "30", "--overwrite").status == 0)
        #expect(try Pictures.size(try calotype.contents("in.jpg")) == PixelSize(30, 20))
    }

    @Test(arguments: [Data(), Data("<html>".utf8), Pictures.jpeg().prefix(600)])
    func `bad input gives one line, status 1 and no file`(_ data: Data) async throws {
        try calotype.write(data, to: "in.jpg")
        let ending = try await calotype("resize", "in.jpg", "out.png", "--size", "10")
        #expect(ending.status == 1)
        #expect(ending.errorLines.count == 1)
        #expect(ending.errors.hasPrefix("calotype: in.jpg: "))
        #expect(calotype.files == ["in.jpg"])
    }
}
