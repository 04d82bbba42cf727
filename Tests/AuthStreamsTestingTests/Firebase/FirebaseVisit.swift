import AuthStreams
import AuthStreamsFirebase
import AuthStreamsOAuth
import AuthStreamsTesting
import Foundation
import Testing

/// A service in front of the emulated project, and a person who reads the project's mails.
struct FirebaseVisit: Sendable {
    let backend: EmulatedBackend
    let auth: AuthService
    let repository: FirebaseRepository

    var clock: ManualClock { backend.clock }
    var firebase: EmulatedFirebase { backend.emulator.firebase }
    var now: Date { backend.emulator.configuration.clock.date }
    /// Where the links of mails continue.
    let appURL = URL(string: "https://app.example/link?x=1") ?? URL(filePath: "/")

    init(_ backend: EmulatedBackend, providers: [AuthProviderFactory] = [.password]) {
        self.backend = backend
        repository = backend.repository
        auth = AuthService(
            .repository(repository), providers: providers,
            platform: .isolated(transport: backend.transport, clock: backend.emulator.configuration.clock))
    }

    /// The error of a call that has to fail.
    func error<Value>(
        of call: (AuthService) async throws -> Value, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> AuthError {
        let error = await #expect(throws: AuthError.self, sourceLocation: sourceLocation) { _ = try await call(auth) }
        return try #require(error, sourceLocation: sourceLocation)
    }

    // MARK: Mails

    func sendLink(to address: String) async throws -> EmulatedFirebase.Mail {
        _ = try await repository.prepare(.emailLink(to: address, continueURL: appURL), in: nil)
        return try #require(firebase.mails.last)
    }

    /// Waits until the provider of mail links has sent one.
    func nextMail() async throws -> EmulatedFirebase.Mail {
        for await state in auth.states where state == .signingIn(.emailLink, .waitingForAnswer) { break }
        return try #require(firebase.mails.last)
    }

    /// Sets a new password as the page of the link does; returns the code of the refusal.
    func reset(by mail: EmulatedFirebase.Mail, to password: String) async throws -> String? {
        try await backend.toolkit(
            "resetPassword", ["oobCode": .string(mail.code.reveal()), "newPassword": .string(password)]
        ).code
    }

    /// What a page shows.
    struct Page {
        let body: String
        let redirect: URL?
        var title: String? {
            body.split(separator: "<title>").last?.split(separator: "</title>").first.map(String.init)
        }
    }

    func open(_ mail: EmulatedFirebase.Mail) async throws -> Page {
        try await send(AuthHTTPRequest(.get, mail.link))
    }

    func send(_ method: AuthHTTPRequest.Method, _ url: String?, form: String? = nil) async throws -> Page {
        let emulator = backend.emulator
        let target = url.map { emulator.url(for: $0) } ?? emulator.baseURL.appending(path: "/")
        return try await send(
            AuthHTTPRequest(
                method, target, headers: form == nil ? [:] : [.contentType: FormCoding.contentType],
                body: form.map { Data($0.utf8) }))
    }

    private func send(_ request: AuthHTTPRequest) async throws -> Page {
        let response = try await backend.transport.send(request)
        return Page(
            body: String(decoding: response.body, as: UTF8.self),
            redirect: response.headers["location"].flatMap(URL.init(string:)))
    }
}
