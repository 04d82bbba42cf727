// swift-tools-version: 6.2
import PackageDescription

// Of what the check has to find. A mark says on which platforms.
let apple: [Platform] = [.iOS, .macCatalyst, .macOS, .tvOS, .watchOS, .visionOS]
let settings: [SwiftSetting] = [
    .define("AUTH_DARWIN", .when(platforms: apple)),
    .define("WITHOUT_CATALYST", .when(platforms: [.iOS, .tvOS])),  // found: Catalyst
]

let package = Package(
    name: "Planted",
    platforms: [.iOS(.v17), .macOS(.v14), .tvOS(.v17), .watchOS(.v10), .visionOS(.v1)],
    targets: [
        .target(name: "Clean", swiftSettings: settings),
        .target(name: "Library", dependencies: ["Clean"], swiftSettings: settings),
        .target(name: "Isolation", dependencies: ["Library"], swiftSettings: settings),
        .target(name: "Sending", swiftSettings: settings),
        .target(name: "Undeclared", swiftSettings: settings),  // found: iOS
        .target(name: "Needless", swiftSettings: settings),  // found: iOS
        .target(name: "Declared", swiftSettings: settings),
        .target(name: "Imports", swiftSettings: settings),
        .target(name: "OtherImports", swiftSettings: settings),
        .executableTarget(name: "Program", dependencies: ["Clean"], swiftSettings: settings),
    ]
)
