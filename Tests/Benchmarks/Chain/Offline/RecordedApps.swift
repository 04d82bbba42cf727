import AuthStreams
import Foundation

/// What a ``Recording`` opens: the real apps and pages while it records, and the answer at once after that.
final class RecordedApps: ApplicationOpener {
    private let recording: Recording
    private let apps: any ApplicationOpener

    /// - Parameter apps: Who opens things while it records. They give what comes back to ``Recording/receive(_:)``.
    init(_ recording: Recording, apps: any ApplicationOpener) {
        self.recording = recording
        self.apps = apps
    }

    func canOpen(_ url: URL) -> Bool { apps.canOpen(url) }

    func open(_ url: URL, universalLinksOnly: Bool) async -> ApplicationVisit? {
        guard recording.repeatCallback() else { return await apps.open(url, universalLinksOnly: universalLinksOnly) }
        return ApplicationVisit {}
    }
}
