// swift-tools-version: 6.2
import PackageDescription

// Each target depends only on targets further down this list. The stage targets (transport, store, codecs, memory)
// never import each other: they meet in `Calotype` and nowhere else. `Scripts/check` holds the tree to that.

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

/// A target's folder that the other platform leaves out.
enum PlatformFolder: String {
    case linux = "Linux"
    case apple = "Apple"
}

func library(
    _ name: String, _ dependencies: [Target.Dependency] = [], folders: [PlatformFolder] = [],
    hasPrivacyManifest: Bool = false
) -> Target {
    let left = folders.filter { $0 == (isApple ? .linux : .apple) }
    return .target(
        name: name, dependencies: dependencies, exclude: left.map(\.rawValue),
        resources: isApple && hasPrivacyManifest ? [.copy("Apple/PrivacyInfo.xcprivacy")] : [], swiftSettings: strict)
}

func debian(_ names: String...) -> [Target.Dependency] {
    isApple ? [] : names.map { .target(name: $0, condition: .when(platforms: [.linux])) }
}

func executable(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .executableTarget(name: name, dependencies: dependencies, swiftSettings: strict)
}

func tests(of name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    let subjects: Set<String> = [name, "CalotypeTesting", "Requirements"]
    return .testTarget(
        name: "\(name)Tests", dependencies: subjects.sorted().map { .target(name: $0) } + dependencies,
        swiftSettings: strict)
}

func system(_ name: String, _ package: String, pkgConfig: String? = nil) -> Target {
    .systemLibrary(name: name, pkgConfig: pkgConfig, providers: [.apt([package])])
}

/// Sources stand inside `#if GTK`: SwiftPM compiles a target whether its trait is on or not.
let gtk = Target.Dependency.target(name: "CGTK4", condition: .when(traits: ["GTK"]))

/// As above. The gallery alone needs it, and never a view of the library.
let adwaita = Target.Dependency.target(name: "CAdwaita", condition: .when(traits: ["GTK"]))

/// As above. Each format lies in a folder with its trait's name.
let traitFormats: [Target.Dependency] = [
    ("CHEIF", "HEIF"), ("CJPEGXL", "JPEGXL"), ("CRsvg", "SVG"), ("CGdkPixbuf", "LongTail"), ("CTIFF", "LongTail"),
].filter { _ in !isApple }.map { .target(name: $0, condition: .when(platforms: [.linux], traits: [$1])) }

let package = Package(
    name: "Calotype",
    platforms: [.macOS(.v14), .iOS(.v17), .tvOS(.v17), .visionOS(.v1)],
    products: [
        .library(name: "Calotype", targets: ["Calotype"]),
        .library(name: "CalotypeUI", targets: ["CalotypeUI"]),
        .library(name: "CalotypeGTK", targets: ["CalotypeGTK"]),
        // With its two ready parts, `networkDataSource` and `LocalFileDataCache`.
        .library(name: "ResourceProvider", targets: ["ResourceProvider", "CalotypeTransport", "CalotypeStore"]),
        .library(name: "CalotypeHTTPCache", targets: ["CalotypeHTTPCache"]),
        .library(name: "CalotypeTransport", targets: ["CalotypeTransport"]),
        .library(name: "CalotypeStore", targets: ["CalotypeStore"]),
        .library(name: "CalotypeCodecs", targets: ["CalotypeCodecs"]),
        .library(name: "CalotypeMemory", targets: ["CalotypeMemory"]),
        .library(name: "CalotypeHTTP", targets: ["CalotypeHTTP"]),
        .library(name: "CalotypeTesting", targets: ["CalotypeTesting"]),
        .executable(name: "calotype", targets: ["calotype-command"]),
        .executable(name: "calotype-benchmarks", targets: ["calotype-benchmarks"]),
        .executable(name: "calotype-gallery", targets: ["calotype-gallery"]),
        .executable(name: "calotype-window-tests", targets: ["calotype-window-tests"]),
        .executable(name: "calotype-format-tests", targets: ["calotype-format-tests"]),
    ],
    traits: [
        .trait(name: "GTK", description: "Views for GTK 4, the gallery, and the tests in real windows."),
        .trait(
            name: "HEIF", description: "Reads HEIC, by libheif (LGPL). Debian's loads x265, which is under the GPL."),
        .trait(name: "JPEGXL", description: "Reads JPEG XL, by libjxl."),
        .trait(name: "SVG", description: "Draws SVG at the size asked for, by librsvg (LGPL)."),
        .trait(name: "LongTail", description: "Reads BMP, ICO, TIFF, TGA and PNM, by GdkPixbuf (LGPL) and libtiff."),
    ],
    targets: [
        // Executables.
        executable(
            "calotype-command",
            [
                "CalotypeDemo", "Calotype", "CalotypeHTTPCache", "CalotypeListener", "CalotypeMemory", "CalotypeStore",
                "CalotypeCodecs", "CalotypeTransport", "CalotypeHTTP", "ResourceProvider", "CalotypeConcurrency",
                "CAllocator",
            ]),
        executable("calotype-gallery", ["CalotypeGallery", "CalotypeGTK"]),
        executable(
            "calotype-benchmarks",
            [
                "Calotype", "CalotypeTesting", "CalotypeListener", "CalotypeMemory", "CalotypeStore", "CalotypeCodecs",
                "CalotypeHTTPCache", "CalotypeTransport", "CalotypeHTTP", "ResourceProvider", "CalotypeConcurrency",
                "CCurl", "CTurboJPEG", "CAvif", "CGif", "CResample", "CVips", "CalotypeGTK", "CalotypeUI", gtk,
            ]),
        executable("calotype-crash-writer", ["CalotypeStore", "CalotypeTesting"]),
        executable(
            "calotype-cache-client",
            [
                "Calotype", "CalotypeHTTPCache", "CalotypeStore", "CalotypeTransport", "CalotypeHTTP",
                "ResourceProvider", "CalotypeConcurrency",
            ]),

        // What the demo and the gallery share.
        library(
            "CalotypeDemo",
            [
                "Calotype", "CalotypeListener", "CalotypeCodecs", "CalotypeHTTP", "ResourceProvider",
                "CalotypeConcurrency",
            ]),

        // The gallery's window, for its executable and for the tests in real windows.
        library(
            "CalotypeGallery",
            [
                "CalotypeDemo", "CalotypeGTK", "CalotypeUI", "Calotype", "CalotypeCodecs", "CalotypeHTTP",
                "CalotypeConcurrency", gtk, adwaita,
            ]),

        // What users import.
        library("CalotypeGTK", ["CalotypeUI", "Calotype", "CalotypeCodecs", gtk]),
        library("CalotypeUI", ["Calotype", "CalotypeCodecs", "CalotypeConcurrency"], folders: [.apple]),
        library(
            "Calotype",
            [
                "CalotypeHTTPCache", "CalotypeMemory", "CalotypeTransport", "CalotypeStore", "CalotypeCodecs",
                "CalotypeHTTP", "ResourceProvider", "CalotypeConcurrency",
            ], folders: [.linux, .apple]),
        library(
            "CalotypeTesting",
            ["CalotypeListener", "CalotypeCodecs", "CalotypeHTTP", "ResourceProvider", "CalotypeConcurrency"]),

        // Stages. None imports another.
        library(
            "CalotypeHTTPCache", ["CalotypeHTTP", "ResourceProvider", "CalotypeConcurrency"] + debian("CCrypto"),
            folders: [.linux, .apple]),
        library(
            "CalotypeTransport",
            ["CalotypeHTTP", "ResourceProvider", "CalotypeConcurrency", "CZlib"] + debian("CCurl"),
            folders: [.linux, .apple], hasPrivacyManifest: true),
        library(
            "CalotypeStore", ["ResourceProvider", "CalotypeConcurrency", "CSQLite"] + debian("CXXHash"),
            folders: [.linux, .apple], hasPrivacyManifest: true),
        library(
            "CalotypeCodecs",
            ["CalotypeConcurrency", "CResample"]
                + debian("CTurboJPEG", "CSpng", "CWebP", "CAvif", "CGif", "CYuv", "CLcms2") + traitFormats,
            folders: [.linux, .apple]),
        library(
            "CalotypeMemory", ["ResourceProvider", "CalotypeConcurrency"] + debian("CXXHash"),
            folders: [.linux, .apple]),
        library("CalotypeListener", ["CalotypeHTTP", "CalotypeConcurrency", "CEpoll"]),

        // Foundations.
        library("CalotypeHTTP", ["ResourceProvider", "CalotypeConcurrency"]),
        library("ResourceProvider", ["CalotypeConcurrency"]),
        library("CalotypeConcurrency", folders: [.linux, .apple]),

        // Loops in C, for instructions that Swift does not reach. Headers only.
        .systemLibrary(name: "CResample"),

        // System libraries.
        .systemLibrary(
            name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev", "libssl-dev"])]),
        system("CCrypto", "libssl-dev", pkgConfig: "libcrypto"),
        // Apple's systems have these two as well: no pkg-config, which might lead to other copies there.
        system("CZlib", "zlib1g-dev"),
        system("CSQLite", "libsqlite3-dev"),
        system("CXXHash", "libxxhash-dev", pkgConfig: "libxxhash"),
        system("CTurboJPEG", "libturbojpeg0-dev", pkgConfig: "libturbojpeg"),
        system("CSpng", "libspng-dev", pkgConfig: "spng"),
        system("CWebP", "libwebp-dev", pkgConfig: "libwebp"),
        system("CAvif", "libavif-dev"),
        system("CGif", "libgif-dev"),
        system("CYuv", "libyuv-dev"),
        system("CLcms2", "liblcms2-dev", pkgConfig: "lcms2"),
        // What Swift's Glibc module leaves out: headers of the kernel, and malloc.h.
        .systemLibrary(name: "CEpoll"),
        .systemLibrary(name: "CAllocator"),

        system("CGTK4", "libgtk-4-dev", pkgConfig: "gtk4"),
        system("CAdwaita", "libadwaita-1-dev", pkgConfig: "libadwaita-1"),
        system("CHEIF", "libheif-dev"),
        system("CJPEGXL", "libjxl-dev"),
        system("CRsvg", "librsvg2-dev", pkgConfig: "librsvg-2.0"),
        system("CGdkPixbuf", "libgdk-pixbuf-2.0-dev", pkgConfig: "gdk-pixbuf-2.0"),
        system("CTIFF", "libtiff-dev", pkgConfig: "libtiff-4"),

        // Declarations only: the benchmarks look libvips up while running, and nothing needs it to build.
        .systemLibrary(name: "CVips"),

        // Tests.
        .target(name: "Requirements", path: "Tests/Requirements", swiftSettings: strict),
        .executableTarget(
            name: "calotype-window-tests",
            dependencies: [
                "Requirements", "CalotypeGallery", "CalotypeGTK", "CalotypeUI", "Calotype", "CalotypeTesting",
                "CalotypeCodecs", "CalotypeHTTP", "CalotypeStore", "CalotypeTransport", "CalotypeConcurrency", gtk,
                adwaita,
            ],
            path: "Tests/WindowTests", swiftSettings: strict),
        .executableTarget(
            name: "calotype-format-tests", dependencies: ["CalotypeCodecs"] + traitFormats,
            path: "Tests/FormatTests", swiftSettings: strict),
        tests(of: "ResourceProvider", ["CalotypeConcurrency"]),
        tests(of: "CalotypeHTTP"),
        tests(
            of: "CalotypeTransport",
            ["CalotypeHTTP", "ResourceProvider", "CalotypeConcurrency", "CCurl", "CZlib"]),
        tests(
            of: "CalotypeHTTPCache", ["CalotypeTransport", "CalotypeHTTP", "ResourceProvider", "CalotypeConcurrency"]),
        tests(of: "CalotypeStore", ["ResourceProvider", "CalotypeConcurrency", "calotype-crash-writer"]),
        tests(
            of: "CalotypeCodecs",
            ["CResample", "CTurboJPEG", "CSpng", "CWebP", "CAvif", "CGif", "CLcms2"]),
        tests(of: "CalotypeMemory", ["CalotypeConcurrency"]),
        tests(of: "CalotypeTesting", ["CalotypeCodecs", "CalotypeHTTP", "CalotypeConcurrency"]),
        tests(
            of: "CalotypeListener", ["CalotypeCodecs", "CalotypeHTTP", "ResourceProvider", "CalotypeConcurrency"]),
        tests(
            of: "Calotype",
            [
                "CalotypeHTTPCache", "CalotypeMemory", "CalotypeTransport", "CalotypeStore", "CalotypeCodecs",
                "CalotypeHTTP", "ResourceProvider", "CalotypeConcurrency", "calotype-cache-client",
            ]),
        tests(of: "CalotypeDemo", ["CalotypeCodecs", "CalotypeHTTP", "CalotypeTransport"]),
        tests(
            of: "CalotypeUI",
            [
                "Calotype", "CalotypeCodecs", "CalotypeHTTP", "CalotypeStore", "CalotypeTransport",
                "CalotypeConcurrency",
            ]),
        tests(of: "CalotypeGallery", ["Calotype", "CalotypeCodecs"]),
        .testTarget(
            name: "CommandTests",
            dependencies: [
                "calotype-command", "CalotypeTesting", "Requirements", "CalotypeHTTP", "CalotypeCodecs",
                "CalotypeListener", "CalotypeTransport", "ResourceProvider", "CalotypeConcurrency",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "DocumentationTests",
            dependencies: [
                "Calotype", "CalotypeTesting", "Requirements", "CalotypeTransport", "CalotypeStore", "CalotypeCodecs",
                "CalotypeMemory", "CalotypeHTTP", "ResourceProvider", "CalotypeConcurrency",
            ], swiftSettings: strict),
    ]
)

// Fuzz targets have no main of their own, libFuzzer brings it: they exist only for `Scripts/fuzz`.
if Context.environment["CALOTYPE_FUZZ"] != nil {
    func fuzz(_ subject: String, _ dependencies: [Target.Dependency]) {
        let name = "calotype-fuzz-\(subject.lowercased())"
        package.products.append(.executable(name: name, targets: [name]))
        package.targets.append(
            .executableTarget(
                name: name, dependencies: ["CalotypeFuzzSupport"] + dependencies,
                path: "Sources/calotype-fuzz/\(subject)",
                swiftSettings: strict))
    }
    package.targets.append(
        .target(
            name: "CalotypeFuzzSupport", dependencies: ["CalotypeCodecs"], path: "Sources/calotype-fuzz/Support",
            swiftSettings: strict))
    for format in ["JPEG", "PNG", "WebP", "AVIF", "GIF", "QOI", "HEIF", "JPEGXL", "SVG", "LongTail"] {
        fuzz(format, ["CalotypeCodecs"])
    }
    fuzz("Previews", ["CalotypeCodecs"])
    fuzz("StoredHead", ["Calotype", "CalotypeHTTP"])
    fuzz("StoredVariants", ["Calotype", "CalotypeHTTPCache", "CalotypeHTTP"])
    fuzz("HTTP", ["CalotypeHTTP", "CalotypeTransport"])
    fuzz("CacheFields", ["CalotypeHTTP", "CalotypeHTTPCache"])
    fuzz("CacheRules", ["CalotypeHTTP", "CalotypeHTTPCache"])
    fuzz("Vary", ["CalotypeHTTP", "CalotypeHTTPCache", "ResourceProvider"])
    fuzz("ResponseCheck", ["CalotypeHTTP", "CalotypeTransport", "CalotypeConcurrency"])
    fuzz("Request", ["CalotypeListener"])
}

// The command, the listener, its test kit and the tests stand on Debian's libraries throughout: Apple's platforms have
// the libraries, and what these need.
if isApple {
    let products = [
        "Calotype", "CalotypeUI", "ResourceProvider", "CalotypeHTTPCache", "CalotypeTransport", "CalotypeStore",
        "CalotypeCodecs", "CalotypeMemory", "CalotypeHTTP",
    ]
    var needed: Set<String> = []
    var open = products
    while let name = open.popLast() {
        guard needed.insert(name).inserted else { continue }
        for dependency in package.targets.first(where: { $0.name == name })?.dependencies ?? [] {
            switch dependency {
            case .targetItem(let name, _), .byNameItem(let name, _): open.append(name)
            default: break
            }
        }
    }
    package.products.removeAll { !products.contains($0.name) }
    package.targets.removeAll { !needed.contains($0.name) }
}
