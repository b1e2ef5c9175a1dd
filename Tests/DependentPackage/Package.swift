// swift-tools-version: 6.2
import PackageDescription

// A package as users of Calotype have it. Scripts/check-documents copies it, adds the snippets of the documents, and builds
// it without traits, and with those of a build that is there already: GTK and others.
let traits = (Context.environment["CALOTYPE_TRAITS"] ?? "").split(separator: ",").map(String.init)
let hasGTK = traits.contains("GTK")
let folder = Context.environment["CALOTYPE_FOLDER"] ?? "../.."

func calotype(_ products: String...) -> [Target.Dependency] {
    products.map { .product(name: $0, package: "calotype") }
}

// Snippets leave values unused.
let quiet: [SwiftSetting] = [.unsafeFlags(["-suppress-warnings"])]

let package = Package(
    name: "Application",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "calotype", path: folder, traits: Set(traits.map { .init(name: $0) }))],
    targets: [
        .executableTarget(
            name: "Application", dependencies: calotype("Calotype", "CalotypeUI", "ResourceProvider"),
            swiftSettings: quiet),
        .target(name: "AlgebraAlone", dependencies: calotype("ResourceProvider"), swiftSettings: quiet),
        hasGTK
            ? .executableTarget(name: "WithGTK", dependencies: calotype("CalotypeGTK"), swiftSettings: quiet)
            : .target(name: "WithoutTrait", dependencies: calotype("CalotypeGTK")),
        .executableTarget(name: "WithHEIF", dependencies: calotype("Calotype")),
        // For release: what the compiler must survive. Imports the modules of the product, each alone.
        .target(name: "ReleaseBuild", dependencies: calotype("Calotype")),
        // Modules that are no products, beside each product that has them.
        .target(name: "ModulesOfCalotype", dependencies: calotype("Calotype")),
        .target(name: "ModulesOfHTTPCache", dependencies: calotype("CalotypeHTTPCache")),
        .target(name: "CodecsAlone", dependencies: calotype("CalotypeCodecs")),
        .testTarget(
            name: "ApplicationTests", dependencies: calotype("Calotype", "CalotypeTesting"), swiftSettings: quiet),
    ]
)
