import AuthStreams
import AuthStreamsOAuth
import AuthStreamsTesting
import Foundation

/// The same scripted person as in front of ours, whose answers come to whoever asks next.
///
/// For redirects to this machine a listener is there from the beginning, so that no sign-in has to open one.
struct BarePerson: Sendable {
    /// Where redirects to this machine go.
    let redirect: URL
    let browser: ScriptedBrowser
    private let apps: EmulatedApps
    private let listener: LoopbackServer
    private let awaited: Guarded<OneShot<URL>>

    /// - Throws: When no port can be opened.
    @MainActor
    init(at base: URL, _ network: PlainSession) throws {
        let awaited = Guarded(OneShot<URL>())
        let take: @Sendable (URL) -> Bool = { url in awaited.withLock { $0 }.resolve(url) }
        let page = LoopbackResponse.html("<!doctype html><title>Done</title>")
        listener = try LoopbackServer.start { request in
            URL(string: "http://127.0.0.1\(request.target)").map(take) == true ? page : .dropConnection
        }
        redirect = URL(string: "http://127.0.0.1:\(listener.port)/oauth2callback") ?? base
        browser = ScriptedBrowser(transport: network, deliver: take)
        apps = EmulatedApps(emulator: base, transport: network, next: browser, handle: take)
        self.awaited = awaited
    }

    /// Shows a page, or opens an app.
    ///
    /// - Returns: The fields that came back.
    /// - Throws: When nothing came back.
    func answer(to url: URL) async throws -> BareCalls.Answer {
        let answer = OneShot<URL>()
        awaited.withLock { $0 = answer }
        // An answer comes before the person is back, or it does not come.
        await apps.open(url, universalLinksOnly: false)?.waitForReturn()
        guard let query = answer.current?.query(percentEncoded: true) else { throw BareCalls.Missing(name: "answer") }
        return Dictionary(FormCoding.decode(query)?.map { ($0.name, $0.value) } ?? []) { first, _ in first }
    }

    /// Takes the listener away.
    func leave() { listener.stop() }
}
