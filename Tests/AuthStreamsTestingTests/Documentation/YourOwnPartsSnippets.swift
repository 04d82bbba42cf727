import AuthStreams
import AuthStreamsTesting
import Foundation
import Testing

// What the article 'Parts of your own' shows is between the marks.

// YourOwnParts: a provider
/// The company's SDK, as its vendor made it: closures on the main actor.
@MainActor
protocol CompanySDK: AnyObject, Sendable {
    func logIn(_ done: @escaping @Sendable (_ token: String?, _ error: (any Error)?) -> Void)
    func cancel()
}

/// Signs in with the company.
struct CompanyProvider: AuthProvider {
    let id: ProviderID = "company"
    let sdk: any CompanySDK

    func authenticate(_ request: AuthRequest) -> AuthStream<Credential> {
        .mainActorCallback { callback in
            request.onStep(.presenting)
            callback.onCancel { Task { @MainActor in sdk.cancel() } }
            sdk.logIn { token, error in
                if let token {
                    callback.succeed(Credential(provider: id, accessToken: Secret(token)))
                } else if error != nil {
                    callback.fail(AuthError(.accessDenied, "The company refused.", provider: id))
                } else {
                    callback.fail(AuthError(.cancelled, "The person closed the company's page.", provider: id))
                }
            }
        }
    }
}
// YourOwnParts end

// YourOwnParts: a provider's contract
/// The SDK with a person in front of it who does what the contract says.
final class PretendSDK: CompanySDK {
    private let person: AuthProviderContract.Person
    private let witness: ContractRecorder
    private var unanswered: [@Sendable (String?, (any Error)?) -> Void] = []

    init(_ person: AuthProviderContract.Person, _ witness: ContractRecorder) {
        self.person = person
        self.witness = witness
    }

    func logIn(_ done: @escaping @Sendable (_ token: String?, _ error: (any Error)?) -> Void) {
        Task {
            await witness.contact()  // its page is there
            switch person {
            case .approves: done("token \(UUID())", nil)
            case .refuses: done(nil, CocoaError(.userCancelled, userInfo: ["token": "a secret token"]))
            case .turnsBack: done(nil, nil)
            case .neverAnswers: unanswered.append(done)
            }
        }
    }

    func cancel() { unanswered = [] }
}

@Test(arguments: AuthProviderContract.checks)
func theCompanyKeeps(_ promise: ContractCheck<AuthProviderContract>) async throws {
    let contract = AuthProviderContract(
        secrets: { [Secret("a secret token")] },
        provider: { person, witness in CompanyProvider(sdk: await PretendSDK(person, witness)) })
    try await contract.verify(promise)
}
// YourOwnParts end

// YourOwnParts: a store's contract
@Test func theStoreKeepsItsPromises() async throws {
    let report = try await SessionStoreContract {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        return .init(
            store: FileSessionStore(folder: folder),
            laterProcess: .can { FileSessionStore(folder: folder) },
            otherOwner: .can { FileSessionStore(folder: folder) },
            losingLocks: .cannot("this test removes no lock file"),
            locking: .cannot("files are never locked"),
            failing: .cannot("this test breaks no disk"),
            cleanUp: { try? FileManager.default.removeItem(at: folder) })
    }.verify()
    #expect(report.skipped.count == 5)  // a lost lock, three promises about a locked device, a broken disk
}
// YourOwnParts end

private typealias CompanyServer = SampleServer

private func companyRepository(over transport: any AuthHTTPTransport) -> any AuthRepository {
    FlawedRepository(nil, over: transport, hang: Hang())
}

@Test func theRepositoryKeepsItsPromises() async throws {
    // YourOwnParts: a repository's contract
    try await AuthRepositoryContract {
        let server = CompanyServer()
        return .init(
            network: .can(server),
            repository: { transport in companyRepository(over: transport) },
            credential: { server.newCredential() },
            badCredential: .can { Credential(provider: "sample", accessToken: Secret("made up")) },
            unroutedProvider: .can("another.example"),
            console: .init(
                revoke: .can { user in server.revoke(user.id) },
                disable: .can { user in server.disable(user.id) },
                delete: .can { user in server.delete(user.id) },
                takesAccessToken: .can { token in server.takes(token) },
                givesRefreshTokens: .can(()), endsSessionsAtSignOut: .can(()), adopts: .can(())),
            changes: .init(
                reloading: .can { user, name in server.rename(user.id, to: name) }, profile: .can(()),
                linking: .can { server.newCredential(at: "second") }, reauthentication: .can(()),
                strangers: .can { server.newCredential(of: "tom") }, aging: .can { server.age() },
                anonymousUsers: .can(()), signingOutEverywhere: .can(()),
                revocation: .can { credential in server.grants(credential.userID) }))
    }.verify()
    // YourOwnParts end
}
