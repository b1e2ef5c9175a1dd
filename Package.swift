// swift-tools-version: 6.2
import PackageDescription

let language: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

/// `Scripts/check` sets the variable, so that a warning of a newer compiler does not stop a user's build.
let strict = language + (Context.environment["CALOTYPE_STRICT"] == nil ? [] : [.treatAllWarnings(as: .error)])

// On Apple's platforms URLSession, ImageIO and CryptoKit replace Debian's libraries. What only one of the two compiles is
// in a target's folder `Linux` or `Apple`.
//
// A manifest knows the machine that it runs on, not the one that is built for. `CALOTYPE_PLATFORM=linux` builds for Linux on a
// Mac, and `CALOTYPE_PLATFORM=apple` is how `Scripts/typecheck-apple` gets Apple's view on Linux. Conditions alone would not do:
// with Debian's libraries in the manifest, Xcode looks for each by pkg-config and warns that it is not there.
#if os(Linux)
    let isApple = Context.environment["CALOTYPE_PLATFORM"] == "apple"
#else
    let isApple = Context.environment["CALOTYPE_PLATFORM"] != "linux"
#endif

/// The folders of a target, or of a format, that the other platform leaves out.
let (linux, apple) = ("Linux", "Apple")

func library(
    _ name: String, _ dependencies: [Target.Dependency] = [], folders: [String] = [], hasPrivacyManifest: Bool = false
) -> Target {
    .target(
        name: name, dependencies: dependencies, exclude: folders.filter { $0.hasSuffix(isApple ? linux : apple) },
        resources: isApple && hasPrivacyManifest ? [.copy("Apple/PrivacyInfo.xcprivacy")] : [], swiftSettings: strict)
}

/// A C library: its module map and headers, the Debian packages that have it, and its name for pkg-config.
///
/// SwiftPM asks pkg-config for each name in each program that depends on the package, and warns where it finds none: a library
/// that only the applications need has no name here.
func shim(_ name: String, _ packages: String..., pkgConfig: String? = nil) -> Target {
    .systemLibrary(
        name: name, path: "Libraries/\(name)", pkgConfig: pkgConfig,
        providers: packages.isEmpty ? nil : [.apt(packages)])
}

func debian(_ names: String...) -> [Target.Dependency] {
    isApple ? [] : names.map { .target(name: $0, condition: .when(platforms: [.linux])) }
}

func program(_ name: String, in path: String, _ dependencies: [Target.Dependency]) -> Target {
    .executableTarget(name: name, dependencies: dependencies, path: path, swiftSettings: strict)
}

/// What programs share.
func part(_ name: String, in path: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, path: path, swiftSettings: strict)
}

/// The tests of a module in the folder `Tests/<name>Tests`.
func tests(of module: String, named name: String? = nil, _ dependencies: [Target.Dependency] = []) -> Target {
    let subjects: Set<String> = [module, "CalotypeTesting", "Requirements", "TestSupport", "Waiting"]
    return .testTarget(
        name: "\(name ?? module)Tests", dependencies: subjects.sorted().map { .target(name: $0) } + dependencies,
        swiftSettings: strict)
}

/// libFuzzer brings the main function.
func fuzzer(_ subject: String, _ dependencies: [Target.Dependency]) -> Target {
    program(
        "calotype-fuzz-\(subject.lowercased())", in: "Fuzzing/\(subject)", ["CalotypeFuzzSupport"] + dependencies)
}

/// Sources stand inside `#if GTK`: SwiftPM compiles a target whether its trait is on or not.
let gtk = Target.Dependency.target(name: "CGTK4", condition: .when(traits: ["GTK"]))

/// As above. The gallery alone needs it, and never a view of the library.
let adwaita = Target.Dependency.target(name: "CAdwaita", condition: .when(traits: ["GTK"]))

/// The folders of `Sources/CalotypeCodecs/Formats`. Apple's platforms leave out the folder `Linux` in each.
let formats = [
    "AVIF", "BMP", "GIF", "HEIF", "ICO", "JPEG", "JPEGXL", "PNG", "PNM", "QOI", "SVG", "TGA", "TIFF", "WebP",
]

/// As for GTK. The folder of such a format has its trait's name.
let traitFormats: [Target.Dependency] = [
    ("CHEIF", "HEIF"), ("CJPEGXL", "JPEGXL"), ("CRsvg", "SVG"), ("CTIFF", "TIFF"),
].filter { _ in !isApple }.map { format($0, of: $1) }

func format(_ library: String, of trait: String) -> Target.Dependency {
    .target(name: library, condition: .when(platforms: [.linux], traits: [trait]))
}

/// The program that decodes apart: who builds the library builds it, too, and finds it next to the own program. Fuzzers
/// bring a main function, which it has itself.
let decoder = Context.environment["CALOTYPE_FUZZ"] == nil ? debian("calotype-decoder") : []

// In a list of libraries, each depends only on those further down. The stages (transport, HTTP cache, store, codecs, memory)
// never import each other: they meet in `Calotype` and nowhere else. `Scripts/check-layers` holds the tree to that.
let libraries: [Target] = [
    library("CalotypeUI", ["Calotype", "CalotypeCodecs", "CalotypeBase"], folders: [apple]),
    library(
        "Calotype",
        [
            "CalotypeHTTPCache", "CalotypeMemory", "CalotypeTransport", "CalotypeStore", "CalotypeCodecs",
            "CalotypeHTTP", "ResourceProviderParts", "ResourceProvider", "CalotypeBase",
        ] + decoder, folders: [apple]),
    library(
        "ResourceProviderParts",
        ["CalotypeTransport", "CalotypeStore", "CalotypeHTTP", "ResourceProvider", "CalotypeBase"]),
    library("CalotypeHTTPCache", ["CalotypeHTTP", "CalotypeBase"] + debian("CCrypto"), folders: [linux, apple]),
    library(
        "CalotypeTransport", ["CalotypeHTTP", "CalotypeBase", "CZlib"] + debian("CCurl"),
        folders: [linux, apple], hasPrivacyManifest: true),
    library(
        "CalotypeStore", ["CalotypeBase", "CSQLite"] + debian("CXXHash"),
        folders: [linux, apple], hasPrivacyManifest: true),
    library(
        "CalotypeCodecs",
        ["CalotypeBase", "CResample"]
            + debian("CJPEG", "CSpng", "CIsal", "CWebP", "CAvif", "CGif", "CYuv", "CLcms2", "CSandbox")
            + traitFormats,
        folders: [linux, apple] + formats.map { "Formats/\($0)/\(linux)" }),
    library("CalotypeMemory", ["CalotypeBase"] + debian("CXXHash"), folders: [linux, apple]),
    library("CalotypeHTTP", ["CalotypeBase"]),
    library("ResourceProvider", ["CalotypeBase"]),
    library("CalotypeBase", folders: [linux, apple]),
]

let librariesOfLinux: [Target] = [
    // The thumbnail server, for the command.
    library(
        "CalotypeServer",
        [
            "CalotypeURLs", "CalotypeComparison", "Calotype", "CalotypeHTTPCache", "CalotypeListener",
            "CalotypeTransport", "CalotypeStore", "CalotypeCodecs", "CalotypeMemory", "CalotypeHTTP", "CalotypeBase",
            "CBeneath",
        ]),
    // How alike images look, for the command and the server.
    library("CalotypeComparison", ["CalotypeCodecs"]),
    // A server that signs URLs links no codec.
    library("CalotypeURLs", ["CalotypeHTTP", "CalotypeBase", "CCrypto"]),
    library("CalotypeGTK", ["CalotypeUI", "Calotype", "CalotypeCodecs", gtk]),
    library("CalotypeTesting", ["CalotypeListener", "CalotypeCodecs", "CalotypeHTTP", "CalotypeBase"]),
    library("CalotypeListener", ["CalotypeHTTP", "CalotypeBase", "CEpoll"]),
]

// Apple's systems have zlib and SQLite as well: no pkg-config, which might lead to other copies there.
let shims = [
    shim("CZlib", "zlib1g-dev"),
    shim("CSQLite", "libsqlite3-dev"),
    // Loops in C, for instructions that Swift does not reach. Headers only.
    shim("CResample"),
]

let shimsOfLinux = [
    shim("CCurl", "libcurl4-openssl-dev", "libssl-dev", pkgConfig: "libcurl"),
    shim("CCrypto", "libssl-dev", pkgConfig: "libcrypto"),
    shim("CXXHash", "libxxhash-dev", pkgConfig: "libxxhash"),
    shim("CTurboJPEG", "libturbojpeg0-dev"),
    shim("CJPEG", "libjpeg-dev", pkgConfig: "libjpeg"),
    shim("CSpng", "libspng-dev", pkgConfig: "spng"),
    shim("CIsal", "libisal-dev", pkgConfig: "libisal"),
    shim("CWebP", "libwebp-dev", pkgConfig: "libwebp"),
    shim("CAvif", "libavif-dev"),
    shim("CGif", "libgif-dev"),
    shim("CYuv", "libyuv-dev"),
    shim("CLcms2", "liblcms2-dev", pkgConfig: "lcms2"),
    shim("CSandbox", "libseccomp-dev", pkgConfig: "libseccomp"),
    shim("CGTK4", "libgtk-4-dev", pkgConfig: "gtk4"),
    shim("CAdwaita", "libadwaita-1-dev"),
    shim("CHEIF", "libheif-dev"),
    shim("CJPEGXL", "libjxl-dev"),
    shim("CRsvg", "librsvg2-dev", "libfontconfig-dev", pkgConfig: "librsvg-2.0"),
    shim("CTIFF", "libtiff-dev", pkgConfig: "libtiff-4"),
    shim("CChafa", "libchafa-dev", "libglib2.0-dev"),
    // What Swift's Glibc module leaves out: headers of the kernel, and malloc.h.
    shim("CEpoll"),
    shim("CBeneath"),
    shim("CAllocator"),
    // Declarations only: the benchmarks look libvips up while running, and nothing needs it to build.
    shim("CVips"),
]

let applications: [Target] = [
    program(
        "calotype-command", in: "Applications/Command",
        [
            "CalotypeConsole", "CalotypeComparison", "CalotypeDemoCommand", "CalotypeServer", "CalotypeURLs",
            "Calotype", "CalotypeHTTPCache", "CalotypeListener", "CalotypeMemory", "CalotypeStore", "CalotypeCodecs",
            "CalotypeTransport", "CalotypeHTTP", "CalotypeBase", "CAllocator", "CChafa",
        ]),
    program("calotype-decoder", in: "Applications/Decoder", ["CalotypeCodecs"]),
    // What programs on a terminal share: arguments, output, signals.
    part("CalotypeConsole", in: "Applications/Console", ["Calotype", "CalotypeHTTP", "CalotypeBase"]),
    // What the demo and the gallery share.
    part(
        "CalotypeDemo", in: "Applications/Demo/Photos",
        ["Calotype", "CalotypeListener", "CalotypeTransport", "CalotypeCodecs", "CalotypeHTTP", "CalotypeBase"]),
    part(
        "CalotypeDemoCommand", in: "Applications/Demo/Command",
        [
            "CalotypeDemo", "CalotypeConsole", "Calotype", "CalotypeListener", "CalotypeCodecs", "CalotypeHTTP",
            "CalotypeBase",
        ]),
    // The command's demo alone, which builds in less time than the command.
    program("calotype-demo", in: "Applications/Demo/Main", ["CalotypeDemoCommand", "CalotypeConsole"]),
    program("calotype-gallery", in: "Applications/Gallery/Main", ["CalotypeGallery", "CalotypeGTK"]),
    // For the gallery's executable and for the tests in real windows.
    part(
        "CalotypeGallery", in: "Applications/Gallery/Window",
        [
            "CalotypeDemo", "CalotypeGTK", "CalotypeUI", "Calotype", "CalotypeCodecs", "CalotypeHTTP",
            "CalotypeBase", gtk, adwaita,
        ]),
    program(
        "calotype-benchmarks", in: "Benchmarks",
        [
            "ServeMix", "TestSupport", "CalotypeComparison", "CalotypeServer", "CalotypeURLs", "Calotype",
            "CalotypeTesting", "CalotypeListener", "CalotypeMemory", "CalotypeStore", "CalotypeCodecs",
            "CalotypeHTTPCache", "CalotypeTransport", "CalotypeHTTP", "CalotypeBase", "CCurl", "CTurboJPEG", "CAvif",
            "CEpoll", "CGif", "CResample", "CVips", "CalotypeGTK", "CalotypeUI", gtk,
        ]),
]

let testTargets: [Target] = [
    part("Requirements", in: "Tests/Requirements"),
    part(
        "TestSupport", in: "Tests/Support", ["CalotypeBase"] + (isApple ? [] : [format("CJPEGXL", of: "JPEGXL")])),
    part("Waiting", in: "Tests/Waiting"),
    part("TestFiles", in: "Tests/TestFiles"),
    // For the tests of the command and `Scripts/soak`.
    part("ServeMix", in: "Tests/ServeMix", ["TestSupport", "CalotypeTesting"]),
    tests(of: "CalotypeBase"),
    tests(of: "ResourceProvider", ["CalotypeBase"]),
    tests(
        of: "ResourceProviderParts",
        ["TestFiles", "CalotypeTransport", "CalotypeStore", "CalotypeHTTP", "ResourceProvider", "CalotypeBase"]),
    tests(of: "CalotypeHTTP"),
    tests(of: "CalotypeTransport", ["CalotypeHTTP", "CalotypeBase", "CCurl", "CZlib"]),
    tests(of: "CalotypeHTTPCache", ["CalotypeTransport", "CalotypeHTTP", "CalotypeBase"]),
    tests(of: "CalotypeStore", ["TestFiles", "CalotypeBase", "calotype-crash-writer"]),
    program("calotype-crash-writer", in: "Tests/CrashWriter", ["CalotypeStore", "CalotypeTesting"]),
    tests(
        of: "CalotypeCodecs",
        [
            "CResample", "CTurboJPEG", "CSpng", "CWebP", "CAvif", "CGif", "CLcms2", "CSandbox", "calotype-decoder",
            "calotype-faulty-decoder", "CalotypeFuzzSupport",
        ]),
    program("calotype-faulty-decoder", in: "Tests/FaultyDecoder", ["CalotypeCodecs", "CSandbox"]),
    tests(of: "CalotypeMemory", ["CalotypeBase"]),
    tests(of: "CalotypeTesting", ["CalotypeCodecs", "CalotypeHTTP", "CalotypeBase"]),
    tests(of: "CalotypeURLs", ["CalotypeHTTP", "CalotypeBase"]),
    tests(
        of: "CalotypeServer",
        [
            "CalotypeFuzzSupport", "CalotypeURLs", "CalotypeComparison", "Calotype", "CalotypeHTTPCache",
            "CalotypeListener", "CalotypeTransport", "CalotypeStore", "CalotypeCodecs", "CalotypeHTTP", "CalotypeBase",
        ]),
    tests(of: "CalotypeListener", ["CalotypeCodecs", "CalotypeHTTP", "CalotypeBase"]),
    tests(
        of: "Calotype",
        [
            "CalotypeHTTPCache", "CalotypeMemory", "CalotypeTransport", "CalotypeStore", "CalotypeCodecs",
            "CalotypeHTTP", "ResourceProvider", "CalotypeBase", "calotype-cache-client",
        ]),
    program(
        "calotype-cache-client", in: "Tests/CacheClient",
        [
            "Calotype", "CalotypeHTTPCache", "CalotypeStore", "CalotypeTransport", "CalotypeCodecs", "CalotypeHTTP",
            "CalotypeBase",
        ]),
    tests(
        of: "CalotypeUI",
        ["Calotype", "CalotypeCodecs", "CalotypeHTTP", "CalotypeStore", "CalotypeTransport", "CalotypeBase"]),
    tests(of: "CalotypeDemo", ["CalotypeCodecs", "CalotypeHTTP", "CalotypeTransport", "CalotypeBase"]),
    tests(of: "CalotypeGallery", ["Calotype", "CalotypeCodecs", "CalotypeHTTP", "CalotypeBase"]),
    tests(
        of: "calotype-command", named: "Command",
        [
            "ServeMix", "CalotypeComparison", "CalotypeDemoCommand", "CalotypeServer", "CalotypeURLs", "Calotype",
            "CalotypeHTTP", "CalotypeCodecs", "CalotypeListener", "CalotypeTransport", "CalotypeBase",
            "CalotypeFuzzSupport",
        ]),
    tests(
        of: "Calotype", named: "Documentation",
        [
            "CalotypeTransport", "CalotypeStore", "CalotypeCodecs", "CalotypeMemory", "CalotypeHTTP",
            "ResourceProvider", "CalotypeBase",
        ]),
    program(
        "calotype-window-tests", in: "Tests/WindowTests",
        [
            "Requirements", "TestSupport", "Waiting", "CalotypeGallery", "CalotypeGTK", "CalotypeUI", "Calotype",
            "CalotypeTesting", "CalotypeCodecs", "CalotypeHTTP", "CalotypeStore", "CalotypeTransport", "CalotypeBase",
            gtk, adwaita,
        ]),
    program(
        "calotype-format-tests", in: "Tests/FormatTests",
        ["TestSupport", "CalotypeFuzzSupport", "CalotypeCodecs", "calotype-decoder"] + traitFormats),
    // The fuzz targets' seeds and checks.
    part("CalotypeFuzzSupport", in: "Fuzzing/Support", ["TestSupport", "CalotypeCodecs", "CSpng"]),
]

/// The formats of one decoder, which have one fuzz target.
let rowFormats: Set = ["BMP", "ICO", "PNM", "TGA"]

// For `Scripts/fuzz` alone.
let fuzzers: [Target] =
    (formats.filter { !rowFormats.contains($0) } + ["RowFiles", "PNGStream", "Previews", "JPEGEncoder", "CameraRaw"])
    .map { fuzzer($0, ["CalotypeCodecs"]) }
    + [
        fuzzer("Answers", ["CalotypeCodecs", "CSandbox"]),
        fuzzer("StoredHead", ["Calotype", "CalotypeHTTP"]),
        fuzzer("StoredVariants", ["Calotype", "CalotypeHTTPCache", "CalotypeHTTP"]),
        fuzzer("FarPages", ["CalotypeServer", "CalotypeHTTPCache", "CalotypeHTTP", "CalotypeBase"]),
        fuzzer("HTTP", ["CalotypeHTTP", "CalotypeTransport"]),
        fuzzer("CacheFields", ["CalotypeHTTP", "CalotypeHTTPCache"]),
        fuzzer("CacheRules", ["CalotypeHTTP", "CalotypeHTTPCache"]),
        fuzzer("Vary", ["CalotypeHTTP", "CalotypeHTTPCache", "CalotypeBase"]),
        fuzzer("ResponseCheck", ["CalotypeHTTP", "CalotypeTransport", "CalotypeBase"]),
        fuzzer("Request", ["CalotypeListener"]),
        fuzzer("Objects", ["CalotypeServer", "CalotypeHTTPCache", "CalotypeBase"]),
        fuzzer("Form", ["CalotypeServer", "CalotypeBase"]),
        fuzzer("Rendition", ["CalotypeServer", "CalotypeURLs", "CalotypeCodecs", "CalotypeBase"]),
        fuzzer("Imaginary", ["CalotypeServer", "CalotypeURLs", "CalotypeCodecs", "CalotypeBase"]),
    ]

let package = Package(
    name: "Calotype",
    platforms: [.macOS(.v14), .iOS(.v17), .tvOS(.v17), .visionOS(.v1)],
    products: [
        // With the modules that `import Calotype` imports: each can also be imported alone.
        .library(
            name: "Calotype",
            targets: [
                "Calotype", "CalotypeHTTPCache", "CalotypeTransport", "CalotypeStore", "CalotypeCodecs",
                "CalotypeMemory", "CalotypeHTTP", "ResourceProvider", "ResourceProviderParts",
            ]),
        .library(name: "CalotypeUI", targets: ["CalotypeUI"]),
        .library(name: "CalotypeHTTPCache", targets: ["CalotypeHTTPCache", "CalotypeHTTP"]),
        // For programs that resize uploads: no network, no store.
        .library(name: "CalotypeCodecs", targets: ["CalotypeCodecs"]),
        // With its ready parts, such as `networkDataSource` and `LocalFileDataCache`.
        .library(name: "ResourceProvider", targets: ["ResourceProvider", "ResourceProviderParts"]),
    ],
    traits: [
        .trait(name: "GTK", description: "Views for GTK 4, the gallery, and the tests in real windows."),
        .trait(
            name: "HEIF", description: "Reads HEIC, by libheif (LGPL). Debian's loads x265, which is under the GPL."),
        .trait(name: "JPEGXL", description: "Reads JPEG XL, by libjxl."),
        .trait(name: "SVG", description: "Draws SVG at the size asked for, by librsvg (LGPL)."),
        .trait(name: "TIFF", description: "Reads TIFF, by libtiff."),
    ],
    targets: libraries + shims
)

// The command, the listener, its test kit and the tests stand on Debian's libraries throughout.
if !isApple {
    package.products += ["CalotypeGTK", "CalotypeURLs", "CalotypeTesting"].map { .library(name: $0, targets: [$0]) }
    package.products += [.executable(name: "calotype", targets: ["calotype-command"])]
    package.products += [.executable(name: "calotype-decoder", targets: ["calotype-decoder"])]
    package.products += [
        "calotype-demo", "calotype-benchmarks", "calotype-gallery", "calotype-window-tests", "calotype-format-tests",
    ].map { .executable(name: $0, targets: [$0]) }
    package.targets += librariesOfLinux + shimsOfLinux + applications + testTargets
}
if !isApple, Context.environment["CALOTYPE_FUZZ"] != nil {
    package.products += fuzzers.map { .executable(name: $0.name, targets: [$0.name]) }
    package.targets += fuzzers
}

// While you work on one part: `CALOTYPE_FOCUS=CalotypeCodecsTests,CommandTests swift build --build-tests` leaves out all other
// tests, and the windows and benchmarks unless they are named.
if let focus = Context.environment["CALOTYPE_FOCUS"].map({ Set($0.split(separator: ",").map(String.init)) }) {
    var left: Set = [
        "calotype-benchmarks", "calotype-gallery", "calotype-window-tests", "CalotypeGallery", "CalotypeGTK",
    ]
    if !focus.isDisjoint(with: left) { left = [] }
    if !left.isEmpty { left.formUnion(["CalotypeGalleryTests"]) }
    left.formUnion(package.targets.filter { $0.type == .test && !focus.contains($0.name) }.map(\.name))
    package.targets.removeAll { left.contains($0.name) }
    package.products.removeAll { left.contains($0.name) }
}
