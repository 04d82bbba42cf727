import AppleFoundation
import AuthStreamsTesting
import Foundation
import Security
import TestSupport
import Testing

@testable import AuthStreams
@testable import AuthStreamsApple

/// The store keeps what every store promises.
@Suite(.appleDevice) struct KeychainSessionStoreContractTests {
    @Test(arguments: SessionStoreContract.checks)
    func keepsThePromise(_ promise: ContractCheck<SessionStoreContract>) async throws {
        let report = try await SessionStoreContract {
            let fixture = KeychainFixture()
            let service = UUID().uuidString
            let store = fixture.store(service: service)
            return .init(
                store: store, laterProcess: .can { fixture.store(service: service) },
                otherOwner: .can { fixture.store(service: service) },
                losingLocks: .can { store.place.lock($0).overwrite(tag: Data("another/1".utf8)) },
                locking: .can(
                    .init(lock: { await AppleDevice.restart() }, unlock: { await AppleDevice.unlock() })),
                failing: .can { AppleDevice.Keychain.answer(errSecIO) }, cleanUp: fixture.removeFiles)
        }.verify(promise)
        #expect(report.skipped.isEmpty)
    }
}
