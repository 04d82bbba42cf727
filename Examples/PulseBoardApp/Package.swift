// swift-tools-version: 6.2
import PackageDescription

// The sample app for iOS. README.md makes an app of it in Xcode: PulseBoardKit is the app, App/ is what Xcode's target has.
let package = Package(
    name: "PulseBoardApp",
    platforms: [.iOS(.v17)],
    products: [.library(name: "PulseBoardKit", targets: ["PulseBoardKit"])],
    dependencies: [.package(name: "AuthStreams", path: "../..")],
    targets: [
        .target(
            name: "PulseBoardKit",
            dependencies: [
                .product(name: "AuthStreams", package: "AuthStreams"),
                .product(name: "AuthStreamsApple", package: "AuthStreams"),
                .product(name: "AuthStreamsFirebase", package: "AuthStreams"),
                .product(name: "AuthStreamsOAuth", package: "AuthStreams"),
            ]),
        .executableTarget(
            name: "PulseBoardMain", dependencies: ["PulseBoardKit"], path: "App",
            exclude: ["Info.plist", "PulseBoard.entitlements"]),
    ])
