import AuthStreams
import AuthStreamsOAuth
import AuthStreamsTesting
import Foundation
import LoopbackHTTP

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The requests of a sign-in, as a script would make them: a `POST`, and the few values that matter.
struct BareCalls: Sendable {
    /// A JSON object, read by `JSONSerialization`.
    typealias Answer = [String: Any]

    let base: URL
    /// What makes all requests; `nil` where each one has a session of its own.
    let shared: URLSession?

    /// The emulated place of a production URL.
    func place(_ url: String) -> URL { URL(string: url)?.relocated(onto: base) ?? base }

    func post(_ url: URL, form: [(name: String, value: String)]) async throws -> Answer {
        try await post(url, "application/x-www-form-urlencoded", Data(FormCoding.encode(form).utf8))
    }

    func post(_ url: URL, json: [String: Any]) async throws -> Answer {
        try await post(url, "application/json", try JSONSerialization.data(withJSONObject: json))
    }

    private func post(_ url: URL, _ type: String, _ body: Data) async throws -> Answer {
        var request = URLRequest(url: url)
        request.httpMethod = "POST"
        request.httpBody = body
        request.setValue(type, forHTTPHeaderField: "Content-Type")
        let session = shared ?? Self.session()
        defer { if shared == nil { session.finishTasksAndInvalidate() } }
        return try JSONSerialization.jsonObject(with: await session.data(for: request).0) as? Answer ?? [:]
    }

    static func session() -> URLSession {
        let configuration = URLSessionConfiguration.ephemeral
        // Each request is to be sent.
        configuration.urlCache = nil
        return URLSession(configuration: configuration)
    }
}

extension BareCalls.Answer {
    /// - Throws: When there is no such text.
    func text(_ name: String) throws -> String {
        guard let text = self[name] as? String else { throw Mistake(description: "An answer has no \(name).") }
        return text
    }
}

/// The same scripted person as in front of ours. Each answer goes to the latest attempt.
///
/// Redirects to this machine have a listener from the beginning, so no sign-in has to open one.
struct BarePerson: Sendable {
    /// Where redirects to this machine go.
    let redirect: URL
    let browser: ScriptedBrowser
    private let apps: EmulatedApps
    let listener: LoopbackServer
    private let answer: Guarded<URL?>

    /// - Throws: When no port can be opened.
    @MainActor
    init(at base: URL) throws {
        let answer = Guarded<URL?>(nil)
        let take: @Sendable (URL) -> Bool = { url in
            answer.withLock { $0 = url }
            return true
        }
        let page = LoopbackResponse.html("<!doctype html><title>Done</title>")
        listener = try LoopbackServer.start { request in
            URL(string: "http://127.0.0.1\(request.target)").map(take) == true ? page : .dropConnection
        }
        redirect = URL(string: "http://127.0.0.1:\(listener.port)/oauth2callback") ?? base
        let network = URLSessionTransport()
        browser = ScriptedBrowser(transport: network, deliver: take)
        apps = EmulatedApps(emulator: base, transport: network, next: browser, handle: take)
        self.answer = answer
    }

    /// Shows a page, or opens an app.
    ///
    /// - Returns: The fields that came back.
    /// - Throws: When nothing came back.
    func answer(to url: URL) async throws -> BareCalls.Answer {
        // The answer comes before the person is back, or never.
        await apps.open(url, universalLinksOnly: false)?.waitForReturn()
        let answer = answer.withLock { answer in
            defer { answer = nil }
            return answer
        }
        guard let query = answer?.query(percentEncoded: true) else {
            throw Mistake(description: "No answer came back.")
        }
        return Dictionary(FormCoding.decode(query)?.map { ($0.name, $0.value) } ?? []) { first, _ in first }
    }
}
