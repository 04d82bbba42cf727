package import Foundation

extension Bundle {
    /// The bundle identifier of the app that runs, also in an extension of it; `nil` on systems without bundles.
    package static var appIdentifier: String? { main.ofApp.bundleIdentifier }

    /// The bundle of the app that contains this one, if this is an app extension's; otherwise this one.
    ///
    /// An extension runs as a process of its own, whose main bundle is `Example.app/PlugIns/Widget.appex`. What a service
    /// knows an app by, and the URL schemes that the app declares, are the containing app's.
    package var ofApp: Bundle {
        guard bundleURL.pathExtension == "appex" else { return self }
        var folder = bundleURL.standardizedFileURL.deletingLastPathComponent()
        while folder.pathExtension != "app" {
            guard folder.path != "/" else { return self }
            folder.deleteLastPathComponent()
        }
        return Bundle(url: folder) ?? self
    }
}
