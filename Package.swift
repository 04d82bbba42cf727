// swift-tools-version: 6.2
import PackageDescription

/// Only checks of the package itself set the variable: apps that use the package must build in spite of warnings.
let warnings: [SwiftSetting] =
    Context.environment["AUTHSTREAMS_STRICT"] == "1" ? [.treatAllWarnings(as: .error)] : []

/// `APPLE_STUBS=ios` and `=macos` build the code for Apple's frameworks on Linux, against `Tests/AppleStubs`.
let stubs = Context.environment["APPLE_STUBS"]

/// `AUTHSTREAMS_TESTS=phone` leaves out the programs, and the tests of stores, of programs and of a listener for answers, most of
/// which need what iOS does not have. Xcode builds every target for the system that it tests on.
///
/// `AUTHSTREAMS_TESTS=races` with `APPLE_STUBS=ios` adds the other tests that race, so that the libraries are built once for all of
/// these, and leaves out the programs.
let chosenTests = Context.environment["AUTHSTREAMS_TESTS"]
let isForPhone = chosenTests == "phone"

let apple: [Platform] = [.iOS, .macCatalyst, .macOS, .tvOS, .watchOS, .visionOS]

/// Defines a condition on platforms of Apple, and on Linux where stubs stand in for them.
func condition(_ name: String, _ platforms: [Platform], onLinux: Bool = stubs != nil) -> SwiftSetting {
    .define(name, .when(platforms: platforms + (onLinux ? [.linux] : [])))
}

/// Where the stubs behave, so that tests can drive the code for Apple's frameworks.
let simulation: [SwiftSetting] = stubs == "ios" ? [.define("AUTH_APPLE_STUBS", .when(platforms: [.linux]))] : []

let conditions: [SwiftSetting] =
    [
        condition("AUTH_DARWIN", apple, onLinux: false),
        condition("AUTH_CRYPTOKIT", apple, onLinux: false),
        condition("AUTH_AUTHENTICATION_SERVICES", apple),
        condition("AUTH_LOCAL_AUTHENTICATION", [.iOS, .macCatalyst, .macOS, .visionOS]),
        condition("AUTH_NOTIFY", apple),
        condition("AUTH_SECURITY", apple),
        condition("AUTH_SWIFTUI", apple),
        condition("AUTH_UIKIT", [.iOS, .macCatalyst, .tvOS, .visionOS], onLinux: stubs == "ios"),
        condition("AUTH_APPKIT", [.macOS], onLinux: stubs == "macos"),
        condition("AUTH_CORE_IMAGE", [.iOS, .macCatalyst, .macOS, .tvOS, .visionOS]),
    ] + simulation

let strict: [SwiftSetting] =
    warnings + conditions + [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    ]

/// Where a Mac builds the package, a library's privacy manifest is a resource. Elsewhere a resource would cost a bundle and an
/// accessor, and is left out.
#if os(macOS)
    let privacyManifest: (resources: [Resource], exclude: [String]) = ([.process("PrivacyInfo.xcprivacy")], [])
#else
    let privacyManifest: (resources: [Resource], exclude: [String]) = ([], ["PrivacyInfo.xcprivacy"])
#endif

func library(
    _ name: String, _ dependencies: [Target.Dependency] = [], hasPrivacyManifest: Bool = false
) -> Target {
    .target(
        name: name, dependencies: dependencies, exclude: hasPrivacyManifest ? privacyManifest.exclude : [],
        resources: hasPrivacyManifest ? privacyManifest.resources : [], swiftSettings: strict)
}

func program(_ name: String, _ dependencies: [Target.Dependency], at path: String) -> Target {
    .executableTarget(name: name, dependencies: dependencies, path: path, swiftSettings: strict)
}

/// Every test target has what stands in `Tests/TestSupport`, such as the watchdog that ends a test process which hangs.
///
/// - Parameter folders: Folders and files that are not compiled.
func tests(_ module: String, _ dependencies: [Target.Dependency] = [], without folders: [String] = []) -> Target {
    .testTarget(
        name: "\(module)Tests", dependencies: [.byName(name: module), "TestSupport"] + dependencies, exclude: folders,
        swiftSettings: strict)
}

/// The stub of a framework. Its language mode is that of Objective-C: a closure of the main actor that is called from
/// another queue traps, as on a phone.
func stub(_ framework: String, _ dependencies: [Target.Dependency] = ["AppleFoundation"]) -> Target {
    .target(
        name: framework, dependencies: dependencies, path: "Tests/AppleStubs/\(framework)",
        swiftSettings: conditions + [.swiftLanguageMode(.v5)])
}

let window = stubs == "macos" ? "AppKit" : "UIKit"

let stubTargets: [Target] =
    stubs == nil
    ? []
    : [
        stub("AppleFoundation", []), stub("CryptoKit", ["Security"]), stub("LocalAuthentication"), stub("Security"),
        stub("notify"), stub("os", []), stub(window), stub("SwiftUI", ["AppleFoundation", .byName(name: window)]),
        stub("Accessibility"), stub("CoreImage"),
        stub("AuthenticationServices", ["AppleFoundation", "SwiftUI", .byName(name: window)]),
    ] + (stubs == "ios" ? [stub("_Testing_UIKit", []), stub("_Testing_CoreImage", [])] : [])

/// What a library depends on whose code uses frameworks of Apple: nothing, unless stubs stand in for them.
let frameworks = stubTargets.map { Target.Dependency.byName(name: $0.name) }

/// The files of the tutorial's app. `App` and `Tests` have the last state of each.
let tutorial = "Sources/AuthStreamsApple/AuthStreamsApple.docc/FirstHour"

/// The sources of the sample app, which is a package of its own, and of the tutorial's app as its last steps leave it, for the
/// tests with the stubs of iOS. Their settings are those of an app.
let sampleTargets: [Target] =
    stubs == "ios"
    ? [
        .target(
            name: "PulseBoardKit",
            dependencies: ["AuthStreams", "AuthStreamsApple", "AuthStreamsFirebase", "AuthStreamsOAuth"] + frameworks,
            path: "Examples/PulseBoardApp/Sources/PulseBoardKit", swiftSettings: warnings),
        .target(
            name: "FirstHour",
            dependencies: ["AuthStreams", "AuthStreamsApple", "AuthStreamsFirebase", "AuthStreamsOAuth"] + frameworks,
            path: "\(tutorial)/App", swiftSettings: warnings),
    ] : []

let programs: [Target] =
    isForPhone || chosenTests == "races"
    ? []
    : [
        program("quickstart", ["AuthStreamsTesting"], at: "Examples/quickstart"),
        program("signin", ["AuthStreams", "AuthStreamsOAuth"], at: "Examples/signin"),
        program("emulator", ["AuthStreamsOAuth", "AuthStreamsTesting"], at: "Examples/emulator"),
        program("pulseboard", ["AuthStreamsApple", "AuthStreamsTesting"], at: "Examples/pulseboard"),
        program("bench", ["AuthStreamsTesting", "LoopbackHTTP"], at: "Tests/Benchmarks"),
        program("faults", ["AuthStreams"], at: "Tests/FaultSimulator"),
        program("CrashApp", ["AuthStreamsTesting"], at: "Tests/CrashApp"),
        program("ProbeApp", ["AuthStreamsTesting"], at: "Tests/ProbeApp"),
    ]

/// The tests that race, beside those of the code for Apple's frameworks.
let racingTests = [
    tests("AuthStreams", ["AuthStreamsTesting"]),
    tests("AuthStreamsOAuth", ["AuthStreamsTesting"]),
    tests("AuthStreamsFirebase", ["AuthStreamsTesting"]),
    // The clock, the limit of resources and the timelines.
    tests(
        "AuthStreamsTesting",
        without: [
            "Bench", "Browser", "Contracts", "Crash", "Devices", "Documentation", "Doubles", "Emulator", "EndToEnd",
            "Faults", "Firebase", "Passkeys", "Pictures", "Pipeline", "Processes", "Programs", "Readme", "Secrets",
            "Server", "Supabase",
        ]),
]

/// With stubs, the tests of the code for Apple's frameworks, with ``racingTests`` if these are chosen. Only the stubs of iOS behave, so that tests can run.
let testTargets: [Target] =
    switch stubs {
    case "ios":
        [
            .testTarget(name: "AppleStubsTests", dependencies: frameworks + ["TestSupport"], swiftSettings: strict),
            tests("AuthStreamsApple", ["AuthStreamsTesting", "PulseBoardKit", "FirstHour"] + frameworks),
            .testTarget(
                name: "FirstHourTests", dependencies: ["FirstHour", "AuthStreamsTesting", "TestSupport"],
                path: "\(tutorial)/Tests", swiftSettings: warnings),
        ] + (chosenTests == "races" ? racingTests : [])
    case .some: []
    case nil:
        [
            tests(
                "AuthStreams", ["AuthStreamsTesting"],
                without: isForPhone ? ["Stores", "UseCases/FullDiskSessionTests.swift"] : []),
            tests("LoopbackHTTP"),
            tests(
                "AuthStreamsOAuth", ["AuthStreamsTesting"],
                without: isForPhone
                    ? [
                        "UserAgents", "Providers/OpenID/OpenIDErrorTests.swift",
                        "Providers/OpenID/OpenIDPushedRequestTests.swift", "Repository/OpenIDServiceTests.swift",
                    ] : []),
            tests("AuthStreamsFirebase", ["AuthStreamsTesting"]),
            tests("AuthStreamsSupabase", ["AuthStreamsTesting"]),
            // All but the tests of the code for Apple's frameworks.
            tests(
                "AuthStreamsApple", ["AuthStreamsTesting"],
                without: [
                    "AppleID", "Composition", "Crypto", "Documentation", "EndToEnd", "Gate", "Keychain", "OtherApp",
                    "Passkeys", "Presentation", "Prompts/Views", "Sample", "Scenes", "Secrets", "SwiftUI", "UIKit",
                    "Web",
                ]),
            .testTarget(name: "TestSupportTests", dependencies: ["TestSupport"], swiftSettings: strict),
        ]
            + (isForPhone
                ? []
                : [tests("AuthStreamsTesting", programs.map { .byName(name: $0.name) }, without: ["Emulator/Recorded"])])
    }

let package = Package(
    name: "AuthStreams",
    platforms: [.iOS(.v17), .macOS(.v14), .tvOS(.v17), .watchOS(.v10), .visionOS(.v1)],
    products: [
        .library(name: "AuthStreams", targets: ["AuthStreams"]),
        .library(name: "AuthStreamsOAuth", targets: ["AuthStreamsOAuth"]),
        .library(name: "AuthStreamsFirebase", targets: ["AuthStreamsFirebase"]),
        .library(name: "AuthStreamsSupabase", targets: ["AuthStreamsSupabase"]),
        .library(name: "AuthStreamsApple", targets: ["AuthStreamsApple"]),
        .library(name: "AuthStreamsTesting", targets: ["AuthStreamsTesting"]),
    ],
    dependencies: [],
    targets: [
        library("AuthStreams", hasPrivacyManifest: true),
        library("LoopbackHTTP"),
        library("AuthStreamsOAuth", ["AuthStreams", "LoopbackHTTP"] + frameworks, hasPrivacyManifest: true),
        library("AuthStreamsFirebase", ["AuthStreams"], hasPrivacyManifest: true),
        library("AuthStreamsSupabase", ["AuthStreams"], hasPrivacyManifest: true),
        library("AuthStreamsApple", ["AuthStreams", "AuthStreamsOAuth"] + frameworks),
        library(
            "AuthStreamsTesting",
            ["AuthStreams", "LoopbackHTTP", "AuthStreamsOAuth", "AuthStreamsFirebase", "AuthStreamsSupabase"]),
        .target(
            name: "TestSupport",
            dependencies: ["AuthStreamsTesting", "LoopbackHTTP"] + (stubs == "ios" ? ["AppleFoundation"] : []),
            path: "Tests/TestSupport", swiftSettings: strict),
    ] + programs + stubTargets + sampleTargets + testTargets
)
