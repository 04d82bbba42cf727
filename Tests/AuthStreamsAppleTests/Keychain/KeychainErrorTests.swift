import AppleFoundation
import AuthStreamsTesting
import Foundation
import Security
import TestSupport
import Testing

@testable import AuthStreams
@testable import AuthStreamsApple

/// What the keychain's result codes mean.
@Suite(.appleDevice) struct KeychainErrorTests {
    private let record = Data("record".utf8)

    private func errors(of store: KeychainSessionStore) async -> [AuthError] {
        var errors: [AuthError] = []
        do throws(AuthError) { _ = try await store.read(.session) } catch { errors.append(error) }
        for version in [RecordVersion.none, .none.next] {
            for data in [record, nil] {
                do throws(AuthError) { _ = try await store.write(data, for: .session, replacing: version) } catch {
                    errors.append(error)
                }
            }
        }
        do throws(AuthError) { _ = try await store.lock(.refreshLock) } catch { errors.append(error) }
        return errors
    }

    @Test(arguments: [
        (errSecInteractionNotAllowed, AuthError.Code.storageLocked), (errSecMissingEntitlement, .misconfigured),
        (errSecRestrictedAPI, .misconfigured), (errSecAuthFailed, .storage), (errSecUserCanceled, .storage),
        (errSecDiskFull, .storage), (errSecIO, .storage), (errSecNotAvailable, .storage), (-1, .storage),
    ])
    func resultCodeHasACodeAndIsTheCause(_ status: OSStatus, _ code: AuthError.Code) async throws {
        try await withKeychain { keychain in
            let store = keychain.store()
            try await store.write(record, for: .session)
            AppleDevice.Keychain.answer(status)
            let errors = await errors(of: store)
            #expect(errors.map(\.code) == Array(repeating: code, count: 6))
            #expect(errors.allSatisfy { $0.cause?.domain == NSOSStatusErrorDomain && $0.cause?.code == Int(status) })
            #expect(errors.allSatisfy { !$0.isUserCancellation && $0.classification.sessionEnd == nil })
            #expect(errors.allSatisfy { $0.explanation.contains("(\(status))") })
            AppleDevice.Keychain.answerAsUsual()
            #expect(try await store.read(.session).data == record)
        }
    }

    @Test func lockedIsRetryable() {
        let place = KeychainPlace(service: "app", accessGroup: nil)
        #expect(AuthError.keychain(errSecInteractionNotAllowed, couldNot: "read", in: place).isRetryable)
        #expect(!AuthError.keychain(errSecMissingEntitlement, couldNot: "read", in: place).isRetryable)
    }

    @Test func missingEntitlementIsNamedWithItsGroup() async throws {
        try await withKeychain { keychain in
            let store = keychain.store(accessGroup: "TEAMID.other")
            let error = await #expect(throws: AuthError.self) {
                try await store.write(record, for: .session, replacing: .none)
            }
            #expect(error?.code == .misconfigured)
            #expect(error?.explanation.contains("'TEAMID.other'") == true)
            #expect(error?.explanation.contains("'keychain-access-groups'") == true)
        }
    }

    @Test func unsignedProgramIsToldToBeSigned() async throws {
        AppleDevice.Keychain.accessGroups = []
        try await withKeychain { keychain in
            let error = await #expect(throws: AuthError.self) { try await keychain.store().read(.session) }
            #expect(error?.code == .misconfigured)
            #expect(error?.explanation.contains("application identifier") == true)
        }
    }

    @Test func storeWithoutAServiceIsMisconfigured() async throws {
        try await withKeychain { keychain in
            let error = await #expect(throws: AuthError.self) { try await keychain.store(service: "").read(.session) }
            #expect(error?.code == .misconfigured)
            #expect(AppleDevice.Keychain.calls.isEmpty)
        }
    }

    // MARK: Not found

    @Test func notFoundOnceIsNotEmpty() async throws {
        try await withKeychain { keychain in
            let store = keychain.store()
            try await store.write(record, for: .session)
            AppleDevice.Keychain.answer(errSecItemNotFound, to: [.copyMatching], times: 1)
            #expect(try await store.read(.session).data == record)
        }
    }

    @Test func notFoundTwiceIsEmpty() async throws {
        try await withKeychain { keychain in
            let store = keychain.store()
            _ = try await store.read(.session)
            let before = AppleDevice.Keychain.calls.count
            #expect(try await store.read(.session) == StoredRecord(data: nil, version: .none))
            #expect(AppleDevice.Keychain.calls.count == before + 2)
        }
    }

    @Test func notFoundBeforeTheFirstUnlockIsLocked() async throws {
        try await withKeychain { keychain in
            let store = keychain.store()
            try await store.write(record, for: .session)
            await AppleDevice.restart()
            AppleDevice.Keychain.answer(errSecItemNotFound, to: [.copyMatching, .update])
            #expect(await errors(of: store).map(\.code) == Array(repeating: .storageLocked, count: 6))
        }
    }

    @Test func notFoundBeforeTheFirstUnlockIsLockedForAStoreThatWasJustOpened() async throws {
        try await withKeychain { keychain in
            try await keychain.store().write(record, for: .session)
            await AppleDevice.restart()
            AppleDevice.Keychain.answer(errSecItemNotFound)
            let error = await #expect(throws: AuthError.self) { try await keychain.store().read(.session) }
            #expect(error?.code == .storageLocked)
            AppleDevice.Keychain.answerAsUsual()
            await AppleDevice.unlock()
            #expect(try await keychain.store().read(.session).data == record)
        }
    }

    @Test func lockedDeviceAfterTheFirstUnlockIsReadable() async throws {
        try await withKeychain { keychain in
            let store = keychain.store()
            try await store.write(record, for: .session)
            await AppleDevice.lock()
            #expect(try await store.read(.session).data == record)
        }
    }
}
