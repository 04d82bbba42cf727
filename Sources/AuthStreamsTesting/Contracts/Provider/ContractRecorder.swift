public import AuthStreams
public import Foundation

/// Sees what a provider under test shows and sends, so that a contract knows when an attempt has begun.
///
/// Hand the provider an opener and a transport that it is ``watching(_:means:)``, or tell it by ``contact(by:)`` where a
/// double of an SDK is called.
public final class ContractRecorder: Sendable {
    private struct State {
        var contacts: [SignInMeans?] = []
        /// What each contact was, for the words of a finding.
        var descriptions: [String] = []
        /// How many contacts there must be before the first ones may go on.
        var party = 0
        /// The contact that is held, counted from 1, until its task is cancelled.
        var held: Int?
    }
    private let state = Lock(State())
    private let began = Promise<Void>()
    private let stands = Promise<Bool>()
    private let met = Promise<Void>()
    private let over = Promise<Void>()

    init() {}

    /// Tells that something is about to be shown or sent: a page, an app, a sheet, a request.
    ///
    /// It may stand still for a while, so that attempts overlap. Go on when it returns.
    ///
    /// - Parameters:
    ///   - means: By which of the provider's means the person is asked; `nil` for what belongs to none.
    ///   - description: What is shown or sent, such as `POST login.example/token`, for the words of a finding. It must hold
    ///     no secret.
    public func contact(by means: SignInMeans? = nil, to description: String? = nil) async {
        let (state, number) = state.withLock { state in
            state.contacts.append(means)
            state.descriptions.append(
                description ?? means.map { "asking by means '\($0)'" } ?? "a contact without a name")
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

    /// The same transport, seen by this witness.
    public func watching(_ transport: any HTTPTransport) -> any HTTPTransport {
        WatchedTransport(base: transport, witness: self)
    }

    /// The same opener, seen by this witness.
    ///
    /// - Parameter means: By which means a URL that is opened asks the person. Needed for providers with several.
    @MainActor
    public func watching(
        _ opener: any ApplicationOpener, means: @escaping @Sendable (URL) -> SignInMeans? = { _ in nil }
    ) -> any ApplicationOpener {
        WatchedOpener(base: opener, witness: self, means: means)
    }

    // MARK: For the checks

    /// What was shown and sent so far, by means.
    var contacts: [SignInMeans?] { state.withLock { $0.contacts } }

    /// What the contact was, counted from 1.
    func description(of contact: Int) -> String {
        state.withLock { state in
            state.descriptions.indices.contains(contact - 1) ? state.descriptions[contact - 1] : "no contact"
        }
    }

    /// Waits for the first contact, or for ``attemptEnded()``.
    func hasBegun() async { _ = await began.value() }

    /// Holds contacts until there are so many.
    func gather(_ count: Int) { state.withLock { $0.party = $0.contacts.count + count } }

    /// Holds that contact, counted from 1.
    func hold(_ number: Int) { state.withLock { $0.held = number } }

    /// Waits until a contact is held, or for ``attemptEnded()``.
    ///
    /// - Returns: Whether there was such a contact: what one attempt had to ask for, another may know from a cache.
    func standsStill() async -> Bool { await stands.value() ?? false }

    /// Nobody needs to be waited for any more.
    func attemptEnded() {
        stands.resolve(false)
        for wait in [began, met, over] { wait.resolve(()) }
    }
}

private struct WatchedTransport: HTTPTransport {
    let base: any HTTPTransport
    let witness: ContractRecorder

    func send(_ request: HTTPRequest) async throws(AuthError) -> HTTPResponse {
        await witness.contact(to: "\(request.method.rawValue) \(request.url.host() ?? "")\(request.url.path())")
        return try await base.send(request)
    }
}

@MainActor
private struct WatchedOpener: ApplicationOpener {
    let base: any ApplicationOpener
    let witness: ContractRecorder
    let means: @Sendable (URL) -> SignInMeans?

    func canOpen(_ url: URL) -> Bool { base.canOpen(url) }

    func open(_ url: URL, universalLinksOnly: Bool) async -> ApplicationVisit? {
        await witness.contact(by: means(url), to: "opening \(url.scheme ?? ""): \(url.host() ?? "")")
        return await base.open(url, universalLinksOnly: universalLinksOnly)
    }
}
