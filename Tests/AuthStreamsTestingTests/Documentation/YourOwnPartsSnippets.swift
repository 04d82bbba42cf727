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

// YourOwnParts: a repository's factory
extension AuthRepositoryFactory {
    /// The company's server.
    static var company: Self { Self { platform in companyRepository(over: platform.transport) } }
}
// YourOwnParts end

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

// YourOwnParts: a store
/// Keeps the records in the app's own database, which one process uses.
actor DatabaseStore: SessionStore {
    private struct Row {
        var data: Data?
        var version: UInt64 = 0
    }
    private var rows: [String: Row] = [:]  // in place of the database

    func read(_ key: SessionStoreKey) async throws(AuthError) -> StoredRecord {
        try key.validate()
        let row = rows[key.rawValue] ?? Row()
        return StoredRecord(data: row.data, version: RecordVersion(rawValue: row.version))
    }

    func write(
        _ data: Data?, for key: SessionStoreKey, replacing version: RecordVersion
    ) async throws(AuthError) -> RecordVersion? {
        try key.validate()
        // In one transaction: compare the version, and write the row. A removal keeps it, for its version.
        guard (rows[key.rawValue] ?? Row()).version == version.rawValue else { return nil }
        rows[key.rawValue] = Row(data: data, version: version.next.rawValue)
        return version.next
    }

    func waitUntilUnlocked() async {}  // it is never locked
}
// YourOwnParts end

@Test(arguments: SessionStoreContract.checks)
func theDatabaseKeeps(_ promise: ContractCheck<SessionStoreContract>) async throws {
    let contract = SessionStoreContract {
        .init(
            store: DatabaseStore(), laterProcess: .cannot("the rows end with the process"),
            otherOwner: .cannot("it is a store of one process alone"),
            losingLocks: .cannot("it has no locks"), locking: .cannot("it is never locked"),
            failing: .cannot("memory does not fail"))
    }
    try await contract.verify(promise)
}
