import AuthStreams
import Foundation

/// Opens what the test says, and keeps what it was asked to open.
@MainActor
final class ScriptedOpener: ApplicationOpener {
    private(set) var opened: [URL] = []
    /// The first URL that was opened.
    let first = Promise<URL>()
    let hidesURLs: Bool
    private let react: @MainActor (URL) async -> ApplicationVisit?

    nonisolated init(
        hidesURLs: Bool = true, _ react: @escaping @MainActor (URL) async -> ApplicationVisit? = { _ in .unobservable }
    ) {
        self.hidesURLs = hidesURLs
        self.react = react
    }

    func canOpen(_ url: URL) -> Bool { true }

    func open(_ url: URL, universalLinksOnly: Bool) async -> ApplicationVisit? {
        opened.append(url)
        first.resolve(url)
        return await react(url)
    }
}
