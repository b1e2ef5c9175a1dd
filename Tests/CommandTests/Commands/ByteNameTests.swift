import CalotypeBase
import CalotypeCodecs
import Foundation
import Testing

@testable import calotype_command

/// Files and folders whose names are not UTF-8.
struct ByteNameTests {
    /// A name in the shell's words, in bytes, and as messages show it.
    struct Name: CustomTestStringConvertible, Sendable {
        let shell: String
        let bytes: [UInt8]
        let shown: String

        var testDescription: String { shown }
        var path: LocalPath { LocalPath(ByteString(bytes: bytes)) }
    }

    static let names = [
        Name(shell: "$(printf 'caf\\351')", bytes: [0x63, 0x61, 0x66, 0xE9], shown: "caf\\xE9"),
        Name(shell: "$(printf '\\377')", bytes: [0xFF], shown: "\\xFF"),
    ]

    /// A use of a name: a line of the shell in which NAME is the name, the files that it writes, and its output, in which
    /// RAW is the name and SHOWN the name as messages show it.
    struct Use: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let line: String
        var written: [String] = []
        var output: String?

        init(_ description: String, _ line: String, writes written: String..., prints output: String? = nil) {
            (testDescription, self.line, self.written, self.output) = (description, line, written, output)
        }
    }

    static let uses = [
        Use("an operand", #"calotype resize "NAME.jpg" out.png --size 60"#, writes: "out.png"),
        Use("a list", #"echo "NAME.jpg" > list; calotype resize --from list -o out"#, writes: "out/NAME.jpg"),
        Use(
            "a list with NUL bytes", #"printf '%s\0' "NAME.jpg" | calotype resize -0 --from - -o out"#,
            writes: "out/NAME.jpg"),
        Use("the name of a list", #"cp list.txt "NAME"; calotype resize --from "NAME" -o out"#, writes: "out/a.jpg"),
        Use("a folder", "calotype resize in -o out", writes: "out/a.jpg", "out/NAME/NAME.jpg"),
        Use("an output file", #"calotype resize a.jpg "NAME.webp""#, writes: "NAME.webp"),
        Use("an output folder", #"calotype resize in --output "NAME/deep""#, writes: "NAME/deep/NAME/NAME.jpg"),
        Use(
            "a name template", #"calotype resize "NAME.jpg" -o out --name '{name}-{width}.{ext}'"#,
            writes: "out/NAME-120.jpg"),
        Use(
            "--if-changed",
            #"calotype resize in -o "NAME-out" --if-changed >first; calotype resize in -o "NAME-out" --if-changed -v"#,
            writes: "NAME-out/NAME/NAME.jpg", prints: "RAW-out/RAW/RAW.jpg  up to date"),
        Use(
            "info", #"calotype info --json "NAME.jpg""#, prints: #""source":"JSON.jpg","sourceBytes":"BASE64""#),
        Use("info in text", #"calotype info "NAME.jpg""#, prints: "RAW.jpg: jpeg 120×80"),
        Use("compare", #"calotype compare "NAME.jpg" a.jpg -o "NAME.png""#, writes: "NAME.png", prints: "equal"),
        Use("show", #"calotype show --columns 4 "NAME.jpg""#),
        Use("an overlay", #"calotype resize a.jpg out.png --step "overlay=NAME.jpg""#, writes: "out.png"),
        Use("a file: URL", #"calotype fetch "file://$PWD/URL.jpg" -o out.jpg"#, writes: "out.jpg"),
        Use(
            "the root of a server and a source below it",
            #"mkdir "NAME"; cp a.jpg "NAME/NAME.jpg"; calotype serve --root "NAME" --explain /_/plain/local:///SOURCE.jpg"#,
            prints: "a file"),
        Use(
            "the photographs of the demo", #"calotype demo --photos in --sheet "NAME.png""#, writes: "NAME.png",
            prints: "2 photographs"),
        Use("the folder of manual pages", #"calotype man "NAME/man""#, writes: "NAME/man/calotype.1"),
    ]

    @Test(arguments: uses, names)
    func `a name that is not UTF-8 names the file whose bytes it has`(_ use: Use, _ name: Name) async throws {
        let calotype = try Calotype()
        try calotype.write(Pictures.jpeg(), to: "a.jpg")
        try calotype.write(Pictures.jpeg(), to: "in/a.jpg")
        try calotype.write("a.jpg\n", to: "list.txt")
        func filled(_ text: String) -> String {
            let escaped = name.bytes.map { "%" + $0.twoDigits }.joined()
            return text.replacing("NAME", with: name.shell).replacing("URL", with: escaped)
                .replacing("SOURCE", with: escaped)
                .replacing("JSON", with: name.shown.replacing("\\", with: "\\\\")).replacing("SHOWN", with: name.shown)
                .replacing("BASE64", with: Data(name.bytes + Array(".jpg".utf8)).base64EncodedString())
        }
        let setting = #"cp a.jpg "NAME.jpg"; mkdir "in/NAME"; cp a.jpg "in/NAME/NAME.jpg"; "#
        let ending = try await calotype.shell(filled(setting + use.line))
        #expect(ending.status == 0 && ending.errors == "", "\(ending.errors)")
        for file in use.written {
            let parts = file.split(separator: "NAME", omittingEmptySubsequences: false).map { ByteString(String($0)) }
            let path = calotype.path(LocalPath(parts.joined(separator: name.path.bytes)))
            #expect(path.exists, "\(path)")
        }
        if let expected = use.output {
            let parts = filled(expected).components(separatedBy: "RAW").map { ByteString($0) }
            let output = ByteString(bytes: ending.output)
            #expect(output.contains(parts.joined(separator: name.path.bytes)), "\(output.displayed)")
        }
    }

    @Test(arguments: names)
    func `the path of a result is printed with its bytes, so that another program can open it`(
        _ name: Name
    ) async throws {
        let calotype = try Calotype()
        try calotype.write(Pictures.jpeg(), to: "a.jpg")
        let ending = try await calotype.shell("calotype resize a.jpg \"\(name.shell).png\"")
        #expect(Array(ending.output) == name.bytes + Array(".png\n".utf8))
    }

    @Test func `names that differ in such a byte alone have results of their own`() async throws {
        let calotype = try Calotype()
        try calotype.write(Pictures.jpeg(), to: "a.jpg")
        let ending = try await calotype.shell(
            #"mkdir in; cp a.jpg "in/$(printf '\377.jpg')"; cp a.jpg "in/$(printf '\376.jpg')"; calotype resize in -o out"#
        )
        #expect(ending.status == 0, "\(ending.errors)")
        for byte in [0xFE, 0xFF] as [UInt8] {
            #expect(
                calotype.path(LocalPath(ByteString(bytes: Array("out/".utf8) + [byte] + Array(".jpg".utf8)))).exists)
        }
    }

    @Test(arguments: ["--cache-dir", "--name", "--header"])
    func `a value that must be text is refused if it is not UTF-8`(_ option: String) async throws {
        let calotype = try Calotype()
        try calotype.write(Pictures.jpeg(), to: "a.jpg")
        let ending = try await calotype.shell("calotype resize a.jpg -o out \(option) \"$(printf 'x:\\377')\"")
        #expect(ending.status == 2)
        #expect(ending.errors.hasPrefix("calotype: option \(option): x:\\xFF is not UTF-8"))
        #expect(calotype.files == ["a.jpg"])
    }
}
