import AuthStreams
import AuthStreamsFirebase
import Foundation
import Testing

@Suite struct FirebaseAnonymousTests {
    private func repository(_ transport: any AuthHTTPTransport, tenant: String? = nil) -> FirebaseRepository {
        var project = Fixture.project
        project.tenantID = tenant
        return FirebaseRepository(project: project, transport: transport, clock: Fixture.clock)
    }

    @Test func aUserWithoutIdentityIsMade() async throws {
        let token = Fixture.idToken(["provider_id": "anonymous", "firebase": ["sign_in_provider": "anonymous"]])
        let transport = ScriptedTransport(Fixture.signedIn(idToken: token), .json(#"{"users":[{"localId":"uid-1"}]}"#))
        let session = try await repository(transport).signInAnonymously()
        #expect(transport.requests.map { $0.url.lastPathComponent } == ["accounts:signUp", "accounts:lookup"])
        #expect(transport.requests[0].text == #"{"returnSecureToken":true}"#)
        #expect(session.user == AuthUser(id: "uid-1", isAnonymous: true))
        #expect(session.provider == .anonymous)
    }

    @Test func theTenantGoesAlong() async throws {
        let transport = ScriptedTransport(Fixture.signedIn(), Fixture.account)
        _ = try await repository(transport, tenant: "t-1").signInAnonymously()
        #expect(transport.requests[0].json?["tenantId"] == "t-1")
    }

    @Test func aProjectWithoutAnonymousUsersSaysSo() async throws {
        let repository = repository(ScriptedTransport(.refusal("ADMIN_ONLY_OPERATION")))
        let error = try await failure { () throws(AuthError) in try await repository.signInAnonymously() }
        #expect(error.code == .misconfigured)
        #expect(error.provider == .anonymous)
    }
}
