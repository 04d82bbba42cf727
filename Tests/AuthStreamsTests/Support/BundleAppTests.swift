import Foundation
import Testing

@testable import AuthStreams

/// The app that contains an extension.
@Suite struct BundleAppTests {
    /// Makes a bundle in a folder of its own, with those around it.
    private func bundle(at path: String, in root: URL) throws -> Bundle {
        var folder = root
        for name in path.split(separator: "/") {
            folder.append(path: String(name), directoryHint: .isDirectory)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        }
        return try #require(Bundle(url: folder))
    }

    @Test(arguments: [
        // An extension of an app for iOS and for macOS, one by ExtensionKit, and one of an app for a watch.
        ("Example.app/PlugIns/Widget.appex", "Example.app"),
        ("Example.app/Contents/PlugIns/Widget.appex", "Example.app"),
        ("Example.app/Extensions/Share.appex", "Example.app"),
        ("Example.app/Watch/Small.app/PlugIns/Widget.appex", "Example.app/Watch/Small.app"),
        // An app, an app in an app, a tool, and an extension without an app.
        ("Example.app", "Example.app"), ("Example.app/AppClips/Clip.app", "Example.app/AppClips/Clip.app"),
        ("bin", "bin"), ("Widget.appex", "Widget.appex"),
    ])
    func anExtensionBelongsToTheAppAroundIt(path: String, app: String) throws {
        let root = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: root) }
        let found = try bundle(at: path, in: root).ofApp.bundleURL.standardizedFileURL
        #expect(found.path == root.appending(path: app).standardizedFileURL.path)
    }
}
