import AuthStreams
import AuthStreamsTesting
import Foundation
import TestSupport
import Testing

/// An app that is updated from another SDK to this one.
@MainActor
struct AppUpdate {
    let emulator: Emulator
    let backend: EmulatedDevice.Backend

    init(at emulator: Emulator, _ backend: EmulatedDevice.Backend) {
        (self.emulator, self.backend) = (emulator, backend)
    }

    /// Where refresh tokens are sent.
    var endpoint: EmulatorEndpoint { backend == .firebase ? .secureToken : .serverRefresh }

    /// How often one was sent.
    var requests: Int { emulator.journal.entries.count { "\($0.host)\($0.path)" == endpoint.description } }

    /// The session that the earlier version of the app stored.
    ///
    /// - Parameter knowsUser: Whether it says whose it is.
    func oldSession(of provider: ProviderID = .kakao, knowsUser: Bool) async throws -> AdoptableSession {
        let (session, user) = try await oldSession(of: provider)
        return AdoptableSession(
            refreshToken: session.refreshToken, user: knowsUser ? AuthUser(id: user.id) : nil)
    }

    /// The session that the earlier version of the app stored, and its user.
    func oldSession(of provider: ProviderID = .kakao) async throws -> (session: AdoptableSession, user: AuthUser) {
        let store = MemorySessionStore()
        let device = EmulatedDevice(at: emulator.baseURL, backend: backend, store: store)
        let user = try await device.auth.signIn(with: provider).value.user
        let token = try #require(try await store.session()?.refreshToken)
        return (AdoptableSession(refreshToken: token), user)
    }

    /// The updated app, and its clock, which stands still.
    func device(
        adopting old: AdoptableSession, store: any SessionStore = MemorySessionStore(),
        clock: ManualClock = ManualClock()
    ) -> EmulatedDevice {
        device(store: store, clock: clock) { old }
    }

    /// The updated app, whose other SDK returns its session from that closure.
    func device(
        store: any SessionStore = MemorySessionStore(), clock: ManualClock = ManualClock(),
        finding find: @escaping @Sendable () async throws -> AdoptableSession?
    ) -> EmulatedDevice {
        EmulatedDevice(
            at: emulator.baseURL, backend: backend, store: store, clock: clock.authClock(startingAt: Date()),
            adoption: SessionAdoption(find: find))
    }
}

#if os(macOS) || os(Linux)
    /// A call that needs the session.
    enum SessionCall: String, CaseIterable, Sendable {
        case token, reauthentication, link, deletion

        /// - Returns: Why it failed.
        @MainActor
        func callAsFunction(_ auth: AuthService) async -> AuthError.Code? {
            switch self {
            case .token:
                do throws(AuthError) { _ = try await auth.accessToken() } catch { return error.code }
                return nil
            case .reauthentication: return await auth.reauthenticate().result.failure?.code
            case .link: return await auth.link(with: .google).result.failure?.code
            case .deletion: return await auth.deleteAccount().result.failure?.code
            }
        }
    }
#endif
