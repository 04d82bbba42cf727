import AuthStreams
import AuthStreamsFirebase
import AuthStreamsTesting
import Foundation
import Testing

/// The repository that the factory makes for a platform.
@Suite struct FirebaseFactoryTests {
    private func repository(
        _ factory: AuthRepositoryFactory, _ transport: ScriptedTransport
    ) -> any AuthRepository {
        factory.repository(for: .isolated(transport: transport, clock: Fixture.clock))
    }

    @Test func kakaoGoesThroughTheFunctionOfTheRegion() async throws {
        let transport = ScriptedTransport(.json(#"{"error":{"status":"NOT_FOUND"}}"#, status: 404))
        let repository = repository(.firebase(id: "my-app", apiKey: "AIza", functionsIn: .seoul), transport)
        await #expect { try await repository.signIn(with: Fixture.kakao) } throws: {
            ($0 as? AuthError)?.code == .misconfigured
        }
        #expect(
            transport.requests.map(\.url.absoluteString) == [
                "https://asia-northeast3-my-app.cloudfunctions.net/socialLogin"
            ])
    }

    @Test func expiryIsByThePlatformsClock() async throws {
        let transport = ScriptedTransport(Fixture.signedIn(), Fixture.account)
        let repository = repository(.firebase(Fixture.project), transport)
        let session = try await repository.signIn(with: Fixture.apple)
        #expect(session.expiresAt == Fixture.now.addingTimeInterval(3600))
        #expect(transport.requests.count == 2)
    }

    @Test func emptyKeyIsAMisconfigurationAndNothingIsSent() async {
        let transport = ScriptedTransport()
        let repository = repository(.firebase(id: "my-app", apiKey: ""), transport)
        await #expect { try await repository.signIn(with: Fixture.apple) } throws: {
            ($0 as? AuthError)?.code == .misconfigured
        }
        #expect(transport.requests.isEmpty)
    }
}
