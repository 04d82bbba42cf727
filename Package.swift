// swift-tools-version: 6.2
import PackageDescription

/// Only checks of the package itself set the variable: apps that use the package must build in spite of warnings.
let warnings: [SwiftSetting] =
    Context.environment["AUTHSTREAMS_STRICT"] == "1" ? [.treatAllWarnings(as: .error)] : []

let strict: [SwiftSetting] =
    warnings + [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        .define("AUTH_DARWIN", .when(platforms: [.iOS, .macOS, .tvOS, .watchOS, .visionOS])),
    ]

func library(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: strict)
}

func program(_ name: String, _ dependencies: [Target.Dependency], at path: String) -> Target {
    .executableTarget(name: name, dependencies: dependencies, path: path, swiftSettings: strict)
}

/// Every test target has what stands in `Tests/TestSupport`, such as the watchdog that ends a test process which hangs.
func tests(_ module: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .testTarget(
        name: "\(module)Tests", dependencies: [.byName(name: module), "TestSupport"] + dependencies,
        swiftSettings: strict)
}

let package = Package(
    name: "AuthStreams",
    platforms: [.iOS(.v17), .macOS(.v14), .tvOS(.v17), .watchOS(.v10), .visionOS(.v1)],
    products: [
        .library(name: "AuthStreams", targets: ["AuthStreams"]),
        .library(name: "AuthStreamsOAuth", targets: ["AuthStreamsOAuth"]),
        .library(name: "AuthStreamsFirebase", targets: ["AuthStreamsFirebase"]),
        .library(name: "AuthStreamsTesting", targets: ["AuthStreamsTesting"]),
    ],
    dependencies: [],
    targets: [
        library("AuthStreams"),
        library("LoopbackHTTP"),
        library("AuthStreamsOAuth", ["AuthStreams", "LoopbackHTTP"]),
        library("AuthStreamsFirebase", ["AuthStreams"]),
        library("AuthStreamsTesting", ["AuthStreams", "LoopbackHTTP", "AuthStreamsOAuth", "AuthStreamsFirebase"]),
        program("quickstart", ["AuthStreamsTesting"], at: "Examples/quickstart"),
        program("emulator", ["AuthStreamsTesting"], at: "Examples/emulator"),
        program("bench", ["AuthStreamsTesting", "LoopbackHTTP"], at: "Tests/Benchmarks"),
        program("faults", ["AuthStreams"], at: "Tests/FaultSimulator"),
        program("CrashApp", ["AuthStreamsTesting"], at: "Tests/CrashApp"),
        program("ProbeApp", ["AuthStreamsTesting"], at: "Tests/ProbeApp"),
        tests("AuthStreams", ["AuthStreamsTesting"]),
        tests("LoopbackHTTP"),
        tests("AuthStreamsOAuth", ["AuthStreamsTesting"]),
        tests("AuthStreamsFirebase", ["AuthStreamsTesting"]),
        tests("AuthStreamsTesting", ["CrashApp", "ProbeApp", "bench", "emulator", "faults", "quickstart"]),
        .testTarget(name: "TestSupportTests", dependencies: ["TestSupport"], swiftSettings: strict),
        .target(
            name: "TestSupport", dependencies: ["AuthStreamsTesting", "LoopbackHTTP"], path: "Tests/TestSupport",
            swiftSettings: strict),
    ]
)
