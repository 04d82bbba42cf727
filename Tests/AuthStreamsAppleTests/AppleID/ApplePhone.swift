import AuthStreams
import AuthStreamsApple
import AuthStreamsFirebase
import AuthStreamsTesting
import AuthenticationServices
import Foundation
import TestSupport
import UIKit

/// An app with native Sign in with Apple on the simulated device, its server, and the person who uses it.
@MainActor
final class ApplePhone {
    enum Backend: String, CaseIterable, Sendable {
        case firebase, server
    }

    let person: PersonAtTheSheet
    let request: AuthRequest
    private let emulator: Emulator
    private let backend: Backend
    private let store: any SessionStore
    private(set) var auth: AuthService

    /// - Parameter transport: The app's network; the emulator unless given.
    init(
        at emulator: Emulator, _ backend: Backend, store: any SessionStore = MemorySessionStore(),
        transport: (any AuthHTTPTransport)? = nil
    ) {
        (self.emulator, self.backend, self.store) = (emulator, backend, store)
        person = PersonAtTheSheet(at: emulator)
        request = SheetFixture().request
        auth = Self.service(emulator, backend, store, transport)
        person.answerAll()
    }

    /// Ends the app and launches it again.
    func relaunch() { auth = Self.service(emulator, backend, store, nil) }

    func signIn() async throws(AuthError) -> AuthUser { try await auth.signIn(with: .apple, request).value.user }

    /// The endpoint of the server that takes the credential.
    var signInEndpoint: EmulatorEndpoint { backend == .firebase ? .signInWithIdP : .serverSignIn }

    /// The name under which the server has a user.
    func storedName(of user: AuthUser) -> String? {
        switch backend {
        case .firebase: emulator.firebase[user.id]?.displayName
        case .server: emulator.server[user.id]?.displayName
        }
    }

    /// The users that the server has.
    var userCount: Int { backend == .firebase ? emulator.firebase.users.count : emulator.server.users.count }

    private static func service(
        _ emulator: Emulator, _ backend: Backend, _ store: any SessionStore, _ transport: (any AuthHTTPTransport)?
    ) -> AuthService {
        let transport = transport ?? EmulatorTransport.untimed(to: emulator)
        let repository: any AuthRepository =
            switch backend {
            case .firebase: FirebaseRepository.emulated(at: emulator.baseURL, transport: transport)
            case .server: ServerRepository.emulated(at: emulator.baseURL, transport: transport)
            }
        return AuthService(
            repository: repository, providers: [AppleProvider()], store: store, callbacks: CallbackRouter())
    }
}
