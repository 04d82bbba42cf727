// swift-tools-version: 6.2
import PackageDescription

// An app that is a package of its own: for iOS alone, and it sees only what is public in the package.
let package = Package(
    name: "PlantedApp",
    platforms: [.iOS(.v17)],
    dependencies: [.package(name: "Planted", path: "../..")],
    targets: [
        .target(name: "Screens", dependencies: [.product(name: "Clean", package: "Planted")]),
        .executableTarget(name: "Main", dependencies: ["Screens"], path: "Main"),
    ]
)
