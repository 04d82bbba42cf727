// swift-tools-version: 6.2
import PackageDescription

// The package of the article 'Add a provider': two providers by an outside author, who has only what is public.
let package = Package(
    name: "AddAProvider",
    platforms: [.iOS(.v17), .macOS(.v14), .tvOS(.v17), .watchOS(.v10), .visionOS(.v1)],
    dependencies: [.package(name: "AuthStreams", path: "../..")],
    targets: [
        .target(
            name: "Providers",
            dependencies: [
                .product(name: "AuthStreams", package: "AuthStreams"),
                .product(name: "AuthStreamsOAuth", package: "AuthStreams"),
            ]),
        .testTarget(
            name: "ProvidersTests",
            dependencies: ["Providers", .product(name: "AuthStreamsTesting", package: "AuthStreams")]),
    ])
