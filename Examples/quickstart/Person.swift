import AuthStreams
import AuthStreamsFirebase
import AuthStreamsOAuth
import AuthStreamsTesting
import Foundation

/// The person in front of the prompts, with a password and an authenticator app.
struct Person: Sendable {
    private static let email = "minji@example.com"
    private static let password = "correct horse battery staple"
    private var app: AuthenticatorApp?

    /// A person who has neither.
    init() {}

    /// A person whose account at the emulated Firebase has a password and an authenticator app.
    init(of emulator: Emulator) async throws {
        let repository = FirebaseRepository.emulated(at: emulator.baseURL)
        let user = try await repository.signUp(with: .password(email: Self.email, Self.password)).user
        emulator.firebase.verifyEmail(of: user.id)
        app = emulator.firebase.enrollAuthenticatorApp(for: user.id)
    }

    /// The app of this person, which asks for the password by a prompt.
    func service(at emulator: Emulator) -> AuthService {
        AuthService(
            .repository(FirebaseRepository.emulated(at: emulator.baseURL)), providers: [.password],
            platform: .isolated(transport: .untimed()))
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
