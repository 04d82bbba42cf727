import AuthStreams
import AuthStreamsFirebase
import AuthStreamsOAuth
import AuthStreamsTesting
import Foundation

/// The person in front of the prompts, with a password and an authenticator app, or with a passkey.
struct Person: Sendable {
    private static let email = "minji@example.com"
    private static let password = "correct horse battery staple"
    private var app: AuthenticatorApp?
    private let device = EmulatedAuthenticator()

    /// A person who has what a scenario needs.
    init(for story: Scenario.Story, at emulator: Emulator) async throws {
        switch story {
        case .password:
            let repository = FirebaseRepository.emulated(at: emulator.baseURL)
            let user = try await repository.signUp(with: .password(email: Self.email, Self.password)).user
            emulator.firebase.verifyEmail(of: user.id)
            app = emulator.firebase.enrollAuthenticatorApp(for: user.id)
        case .passkey:
            let auth = service(for: story, at: emulator)
            _ = try await auth?.signInAnonymously().value
            _ = try await auth?.link(with: .passkey).value
        default: break
        }
    }

    /// The app of this person, which asks for the password by a prompt, or for the passkey; `nil` for that of the device.
    func service(for story: Scenario.Story, at emulator: Emulator) -> AuthService? {
        switch story {
        case .password:
            AuthService(
                .repository(FirebaseRepository.emulated(at: emulator.baseURL)), providers: [.password],
                platform: .isolated(transport: .untimed()))
        case .passkey:
            AuthService(
                .repository(ServerRepository.emulated(at: emulator.baseURL)), providers: [.passkey(device)],
                platform: .isolated(transport: .untimed()))
        default: nil
        }
    }

    /// Answers the prompts, until the task is cancelled or the service is released.
    func answers(_ prompts: AuthPrompts) -> Task<Void, Never> {
        Task {
            for await prompt in prompts {
                if let code = prompt?.code, let app {
                    code.submit(app.code(at: Date()))
                } else if let form = prompt?.form {
                    let values = ["email": Self.email, "password": Self.password, "nickname": "Minji", "terms": "true"]
                    form.submit(values.filter { value in form.fields.contains { $0.id == value.key } })
                }
            }
        }
    }
}
