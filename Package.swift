// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .define("AUTH_DARWIN", .when(platforms: [.iOS, .macOS, .tvOS, .watchOS, .visionOS])),
]

let package = Package(
    name: "AuthStreams",
    platforms: [.iOS(.v17), .macOS(.v14), .tvOS(.v17), .watchOS(.v10), .visionOS(.v1)],
    products: [
        .library(name: "AuthStreams", targets: ["AuthStreams"]),
        .library(name: "AuthStreamsOAuth", targets: ["AuthStreamsOAuth"]),
    ],
    dependencies: [],
    targets: [
        .target(name: "AuthStreams", swiftSettings: strict),
        .target(name: "AuthStreamsOAuth", dependencies: ["AuthStreams"], swiftSettings: strict),
        .testTarget(name: "AuthStreamsTests", dependencies: ["AuthStreams"], swiftSettings: strict),
        .testTarget(name: "AuthStreamsOAuthTests", dependencies: ["AuthStreamsOAuth"], swiftSettings: strict),
    ]
)
