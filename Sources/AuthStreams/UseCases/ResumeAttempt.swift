import Foundation

/// The use case 'resume': finishes an attempt that an earlier process began, by the URL that launched the app.
///
/// ```
/// URL ──► the user is known ──► stored attempt with this state? ── no ──► callbackIgnored
///                                     │ yes: removed
///                                     ├── too old, without a state, or another user is signed in now ──► attemptAbandoned
///                                     ├── link or re-authentication that does not begin: the gate refuses ──► attemptAbandoned
///                                     └── sign-in, link or re-authentication, with AuthProvider.resume
/// ```
///
/// The user who is signed in must be the one who was when the attempt began. So a resumed link never signs in, and a resumed
/// sign-in replaces no session that has come since.
final class ResumeAttempt: Sendable {
    private let registry: ProviderRegistry
    private let refreshing: RefreshSession
    var manager: SessionManager { refreshing.manager }

    init(registry: ProviderRegistry, refreshing: RefreshSession) {
        (self.registry, self.refreshing) = (registry, refreshing)
    }

    /// Whether a URL is a link of a mail.
    func isLink(_ url: URL) -> Bool { registry.provider(.emailLink, ofCallback: url) is any LinkOpening }

    /// Takes the attempt that a URL answers, as soon as the user is known.
    ///
    /// - Returns: What resumes it; `nil` if there is none.
    func attempt(answeredBy url: URL) async -> Resumption? {
        // Where the store or the server fails, it is resumed as far as the user is known.
        try? await refreshing.waitUntilKnown()
        if Task.isCancelled { return nil }
        if let provider = registry.provider(.emailLink, ofCallback: url) as? any LinkOpening {
            return await attempt(of: provider, openedBy: url)
        }
        guard let entry = await entry(answeredBy: url) else {
            if !Task.isCancelled { manager.emit(AuthEvent(.callbackIgnored)) }
            return nil
        }
        let provider = registry.provider(entry.intent.provider, ofCallback: url)
        guard let provider, let attempt = entry.attempt, entry.isCurrent else {
            abandon(entry.intent)
            return nil
        }
        let resumed = ResumedAttempt(
            attempt: attempt, callback: url, elapsed: .milliseconds(Int64(entry.age * 1000)))
        return resumption(of: entry.intent, with: ResumingProvider(base: provider, resumed: resumed))
    }

    /// Resumes an attempt until it is over.
    typealias Resumption = @Sendable () async -> Void

    private func resumption(
        of intent: PendingAttempts.Intent, with provider: any AuthProvider
    ) -> Resumption {
        { await self.finish(intent, with: provider) }
    }

    /// The attempt that a URL answers. A store that is locked or fails is asked again, as long as an attempt can be resumed.
    private func entry(answeredBy url: URL) async -> PendingAttempts.Entry? {
        await manager.retryingStore(for: .seconds(PendingAttempts.timeLimit)) {
            () async throws(AuthError) -> PendingAttempts.Entry? in
            try await PendingAttempts(manager: manager).take { [registry] entry in
                // An answer without `state` is known by its form alone. It ends the attempt, and proves nothing.
                entry.attempt?.isAnswered(by: url)
                    ?? (registry.provider(entry.intent.provider, ofCallback: url) != nil)
            }
        } ?? nil
    }

    /// The attempt of a link that was sent earlier, or by another device.
    private func attempt(of provider: any LinkOpening, openedBy url: URL) async -> Resumption? {
        // A link without a code is of no use, and takes nothing.
        guard let unsent = provider.opened(url, sentTo: nil) else {
            manager.emit(AuthEvent(.callbackIgnored))
            return nil
        }
        let link = await manager.retryingStore(for: .seconds(PendingAttempts.timeLimit)) {
            () async throws(AuthError) in try await PendingAttempts(manager: manager).takeLink()
        }
        switch link {
        case .sent(let address, let intent):
            return provider.opened(url, sentTo: address).map { resumption(of: intent, with: $0) }
        case .some(.none) where manager.user == nil:
            return resumption(of: .init(provider: provider.id, purpose: .signIn, user: nil), with: unsent)
        // A link that this device did not ask for replaces no user.
        case .some(.none), .waiting: manager.emit(AuthEvent(.callbackIgnored))
        // Cancelled.
        case nil: break
        }
        return nil
    }

    /// The results are seen in the states and events.
    private func finish(_ intent: PendingAttempts.Intent, with provider: any AuthProvider) async {
        // Checked where the change begins, so that no other user's account is changed.
        let theirs: @Sendable (AuthSession) throws -> any AuthProvider = { session in
            guard session.user.id == intent.user else { throw AuthError.attemptAbandoned }
            return provider
        }
        let request = AuthRequest()
        do throws(AuthError) {
            switch intent.purpose {
            // The session of another SDK could not be adopted, so that no change can begin.
            case .link where manager.session == nil, .reauthenticate where manager.session == nil: abandon(intent)
            case .signIn:
                let signIn = AuthSignIn(repository: refreshing.repository, manager: manager)
                _ = try await signIn.resume(with: provider, replacing: intent.user).value
            case .link:
                _ = try await AccountChanges(refreshing: refreshing)
                    .link(asking: theirs, request, refusal: { _ in .attemptAbandoned }).value
            case .reauthenticate:
                _ = try await AccountChanges(refreshing: refreshing)
                    .reauthenticate(asking: theirs, request, refusal: { _ in .attemptAbandoned }).value
            }
        } catch {
            // Any other error was reported by the operation that had begun.
            if error == .attemptAbandoned { abandon(intent) }
        }
    }

    private func abandon(_ intent: PendingAttempts.Intent) {
        manager.emit(AuthEvent(.attemptAbandoned, provider: intent.provider, failure: .of(.attemptAbandoned)))
    }
}

/// A provider whose attempt has its answer already.
private struct ResumingProvider: AuthProvider {
    let base: any AuthProvider
    let resumed: ResumedAttempt

    var id: ProviderID { base.id }
    var methodKinds: [SignInMethod.Kind] { base.methodKinds }

    func authenticate(_ request: AuthRequest) -> AuthStream<Credential> {
        var request = request
        request.resumed = resumed
        // Only a page's answer is bound to its attempt.
        if methodKinds.contains(.web) { request.methodKind = .web }
        return base.resume(request)
    }
}

/// The callback URLs that no attempt of this process waits for, which may answer one of an earlier process.
///
/// They are tried one after another. While one is tried, or waits until the user is known, only the newest other one is kept. A link
/// of a mail takes the place of an earlier one, which may be asking for the address.
final class UnclaimedCallbacks: Sendable {
    private let urls: AsyncStream<URL>.Continuation
    private let work: Task<Void, Never>
    private let resume: ResumeAttempt

    init(resume: ResumeAttempt) {
        self.resume = resume
        let (urls, continuation) = AsyncStream<URL>.makeStream(bufferingPolicy: .bufferingNewest(1))
        self.urls = continuation
        // Weak, so that the providers are released with the service, and not once the task has seen its cancellation.
        work = TaskSpawner.start { [weak resume] in
            await withTaskGroup(of: Void.self) { group in
                var wasLink = false
                for await url in urls {
                    let isLink = resume?.isLink(url) ?? false
                    if !wasLink || !isLink { await group.waitForAll() }
                    wasLink = isLink
                    guard let resumption = await resume?.attempt(answeredBy: url) else { continue }
                    group.addTask { await resumption() }
                }
            }
        }
    }

    deinit { work.cancel() }

    func add(_ url: URL) {
        if case .dropped = urls.yield(url) { resume.manager.emit(AuthEvent(.callbackIgnored)) }
    }
}
