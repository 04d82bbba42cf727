public import AuthStreams
public import Foundation

/// Observes what a provider under test shows and sends, so that a contract knows when an attempt has begun.
///
/// Pass the provider an opener and a transport that it is ``watching(_:kind:)``, or call ``contact(by:to:)`` in a double
/// of an SDK.
public final class ContractRecorder: Sendable {
    private struct State {
        var contacts: [SignInMethod.Kind?] = []
        /// The description of each contact, for findings.
        var descriptions: [String] = []
        /// The number of contacts for which the first ones are held.
        var party = 0
        /// The contact, counted from 1, that is held until its task is cancelled.
        var held: Int?
    }
    private let state = Lock(State())
    private let began = Promise<Void>()
    private let stands = Promise<Bool>()
    private let met = Promise<Void>()
    private let over = Promise<Void>()

    init() {}

    /// Reports that something is about to be shown or sent: a page, an app, a sheet, a request.
    ///
    /// It may suspend for a while, so that attempts overlap. Continue when it returns.
    ///
    /// - Parameters:
    ///   - kind: The provider's kind of method that asks the person; `nil` if the contact belongs to none.
    ///   - description: What is shown or sent, such as `POST login.example/token`, for findings. It must not contain a
    ///     secret.
    public func contact(by kind: SignInMethod.Kind? = nil, to description: String? = nil) async {
        let (state, number) = state.withLock { state in
            state.contacts.append(kind)
            state.descriptions.append(
                description ?? kind.map { "asking by method kind '\($0)'" } ?? "a contact without a name")
            return (state, state.contacts.count)
        }
        began.resolve(())
        if number >= state.party { met.resolve(()) }
        if state.party > 0 { _ = await met.value() }
        if number == state.held {
            stands.resolve(true)
            _ = await over.value()
        }
    }

    /// Returns the transport, observed by this witness.
    public func watching(_ transport: any AuthHTTPTransport) -> any AuthHTTPTransport {
        RecordingTransport(base: transport, witness: self)
    }

    /// Returns the opener, observed by this witness.
    ///
    /// - Parameters:
    ///   - opener: What opens URLs.
    ///   - kind: The kind of the URLs that are opened. Required for providers with several.
    @MainActor
    public func watching(
        _ opener: any ApplicationOpener, kind: @escaping @Sendable (URL) -> SignInMethod.Kind? = { _ in nil }
    ) -> any ApplicationOpener {
        RecordingOpener(base: opener, witness: self, kind: kind)
    }

    // MARK: For the checks

    /// The kind of each contact so far.
    var contacts: [SignInMethod.Kind?] { state.withLock { $0.contacts } }

    /// Returns the description of a contact, counted from 1.
    func description(of contact: Int) -> String {
        state.withLock { state in
            state.descriptions.indices.contains(contact - 1) ? state.descriptions[contact - 1] : "no contact"
        }
    }

    /// Waits for the first contact, or for ``attemptEnded()``.
    func hasBegun() async { _ = await began.value() }

    /// Holds contacts until there are that many.
    func gather(_ count: Int) { state.withLock { $0.party = $0.contacts.count + count } }

    /// Holds that contact, counted from 1.
    func hold(_ number: Int) { state.withLock { $0.held = number } }

    /// Waits until a contact is held, or for ``attemptEnded()``.
    ///
    /// - Returns: Whether there was such a contact: a later attempt may use a cached value instead.
    func standsStill() async -> Bool { await stands.value() ?? false }

    /// Releases all waits for contacts.
    func attemptEnded() {
        stands.resolve(false)
        for wait in [began, met, over] { wait.resolve(()) }
    }
}

private struct RecordingTransport: AuthHTTPTransport {
    let base: any AuthHTTPTransport
    let witness: ContractRecorder

    func send(_ request: AuthHTTPRequest) async throws(AuthError) -> AuthHTTPResponse {
        await witness.contact(to: "\(request.method.rawValue) \(request.url.host() ?? "")\(request.url.path())")
        return try await base.send(request)
    }
}

@MainActor
private struct RecordingOpener: ApplicationOpener {
    let base: any ApplicationOpener
    let witness: ContractRecorder
    let kind: @Sendable (URL) -> SignInMethod.Kind?

    func canOpen(_ url: URL) -> Bool { base.canOpen(url) }
    var hidesURLs: Bool { base.hidesURLs }

    func validateConfiguration(toOpen url: URL, answeringAt callback: URL) throws(AuthError) {
        try base.validateConfiguration(toOpen: url, answeringAt: callback)
    }

    func open(_ url: URL, universalLinksOnly: Bool) async -> ApplicationVisit? {
        await witness.contact(by: kind(url), to: "opening \(url.scheme ?? ""): \(url.host() ?? "")")
        return await base.open(url, universalLinksOnly: universalLinksOnly)
    }
}
