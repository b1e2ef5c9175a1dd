// swift-tools-version: 6.2
import PackageDescription

// Where the sources of swift-http-types are: a folder in HTTP_TYPES, or its repository.
let types: Package.Dependency =
    if let folder = Context.environment["HTTP_TYPES"] {
        .package(name: "swift-http-types", path: folder)
    } else {
        .package(url: "https://github.com/apple/swift-http-types.git", from: "1.0.0")
    }

let package = Package(
    name: "CalotypeHTTPTypes",
    platforms: [.macOS(.v15)],
    products: [.library(name: "CalotypeHTTPTypes", targets: ["CalotypeHTTPTypes"])],
    dependencies: [.package(name: "calotype", path: "../.."), types],
    targets: [
        .target(
            name: "CalotypeHTTPTypes",
            dependencies: [
                .product(name: "CalotypeHTTPCache", package: "calotype"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ]),
        .executableTarget(
            name: "CachedFetch",
            dependencies: [
                "CalotypeHTTPTypes", .product(name: "HTTPTypesFoundation", package: "swift-http-types"),
            ]),
    ]
)
