import AuthStreams
import AuthStreamsTesting
import Foundation
import TestSupport
import Testing

@testable import AuthStreamsOAuth

/// Keys that tokens are bound to, and their thumbprints.
@Suite struct DPoPKeyTests {
    /// RFC 7638 section 3.1.
    @Test func thumbprintOfAnRSAKeyIsThatOfTheStandard() throws {
        let modulus = """
            0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECPebWKRXjBZCiFV4n3okn\
            jhMstn64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_FDW2QvzqY368QQMicAtaSqzs8KJZgnYb9c7d0zgdAZHzu6q\
            MQvRL5hajrn1n91CbOpbISD08qNLyrdkt-bFTWhAI4vMQFh6WeZu0fM4lFd2NcRwr3XPksINHaQ-G_xBniIqbw0Ls1jF44-csFCur-kEgU8awap\
            JzKnqDKgw
            """
        let key = PublicKey.rsa(
            modulus: try #require(Base64URL.decode(modulus)), exponent: try #require(Base64URL.decode("AQAB")))
        #expect(key.thumbprint == "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs")
    }

    /// RFC 9449 section 6.1.
    @Test func thumbprintOfAnEllipticKeyIsThatOfTheStandard() throws {
        #expect(try RFC9449.key.thumbprint == "0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I")
    }

    /// RFC 9449 section 4.1.
    @Test(.enabled(if: Signatures.isAvailable)) func signatureOfTheStandardsProofIsValid() throws {
        let dot = try #require(RFC9449.proof.lastIndex(of: "."))
        let signature = try #require(Base64URL.decode(String(RFC9449.proof[RFC9449.proof.index(after: dot)...])))
        let input = Data(RFC9449.proof[..<dot].utf8)
        #expect(try Signatures.verify(signature, of: input, algorithm: .es256, key: RFC9449.key))
    }

    @Test(.enabled(if: Signatures.isAvailable)) func storedKeyIsTheSameKey() throws {
        let key = try DPoPKey.make()
        let stored = try key.stored
        let read = try #require(try DPoPKey(stored: stored))
        #expect(read.thumbprint == key.thumbprint && read.publicKey == key.publicKey)
        let message = Data("message".utf8)
        #expect(
            try Signatures.verify(try read.sign(message), of: message, algorithm: .es256, key: key.publicKey))
    }

    @Test(.enabled(if: Signatures.isAvailable)) func keysDiffer() throws {
        #expect(try DPoPKey.make().thumbprint != DPoPKey.make().thumbprint)
    }

    @Test(.enabled(if: Signatures.isAvailable)) func keyPrintsItsThumbprintAlone() throws {
        let key = try DPoPKey.make()
        let stored = try #require(AuthJSON(json: try key.stored)?["key"]?.string)
        #expect(!everythingPrinted(of: key).contains(stored))
        #expect("\(key)".contains(key.thumbprint))
    }

    /// Such a key is lost, and a sign-in makes another one.
    @Test(
        .enabled(if: Signatures.isAvailable),
        arguments: ["", "{", "{}", #"{"version":1,"kind":"software","key":"AAAA"}"#, #"{"version":1,"kind":"other"}"#])
    func damagedRecordIsNoKey(text: String) throws {
        #expect(try DPoPKey(stored: Data(text.utf8)) == nil)
    }

    /// It belongs to the app as it will be after its update, and this process signs no one in over it.
    @Test func recordOfANewerVersionIsLeftAlone() {
        let error = #expect(throws: AuthError.self) {
            try DPoPKey(stored: Data(#"{"version":2,"kind":"other"}"#.utf8))
        }
        #expect(error?.code == .storage && error?.classification.sessionEnd == nil)
    }
}

/// A key in hardware, as the Secure Enclave has it: simulated, so that each of its failures can be.
@Suite(.enabled(if: Signatures.isAvailable)) struct HardwareKeyTests {
    private let hardware = SimulatedHardware()
    private let store = MemorySessionStore()

    /// Another process of the app, or the next launch.
    private func keys() -> DPoPKeys { DPoPKeys(in: store, hardware: hardware.keys) }

    /// `TKError` and the statuses of Security, by number.
    @Test(
        arguments: [
            ("CryptoTokenKit", -3, .lost), ("CryptoTokenKit", -6, .lost), ("CryptoTokenKit", -2, .passing),
            ("CryptoTokenKit", -4, .passing), ("CryptoTokenKit", -5, .passing), ("CryptoTokenKit", -7, .passing),
            ("NSOSStatusErrorDomain", -50, .lost), ("NSOSStatusErrorDomain", -25300, .lost),
            ("NSOSStatusErrorDomain", -26275, .lost), ("NSOSStatusErrorDomain", -25308, .locked),
            ("NSOSStatusErrorDomain", -25291, .passing), ("NSOSStatusErrorDomain", -3, .passing),
            ("com.example", -3, .passing),
        ] as [(String, Int, EnclaveFailure)])
    func errorSaysWhetherTheKeyIsLost(domain: String, code: Int, failure: EnclaveFailure) {
        #expect(EnclaveFailure(domain: domain, code: code) == failure)
    }

    @Test func keyStaysInTheHardware() async throws {
        let key = try await keys().current()
        #expect(AuthJSON(json: try #require(try await store.read(.dpopKey).data))?["kind"] == "secureEnclave")
        #expect(try await keys().current().thumbprint == key.thumbprint)
        #expect(try await keys().key(key.thumbprint).thumbprint == key.thumbprint)
    }

    /// The session that is present goes on with its key.
    @Test(arguments: [AuthError.Code.storage, .storageLocked], [SimulatedHardware.Step.reading, .signing])
    func failureThatMayPassReplacesNoKey(code: AuthError.Code, step: SimulatedHardware.Step) async throws {
        let key = try await keys().current()
        let stored = try await store.read(.dpopKey)
        hardware.fail(step, with: AuthError(code, "The test's failure."))
        let error = await #expect(throws: AuthError.self) { try await keys().current() }
        #expect(error?.code == code && error?.classification.sessionEnd == nil)
        #expect(try await store.read(.dpopKey) == stored)
        hardware.fail(step, with: nil)
        #expect(try await keys().current().thumbprint == key.thumbprint)
    }

    @Test(arguments: [AuthError.Code.storage, .storageLocked]) func hardwareThatFailsIsNotReplacedBySoftware(
        code: AuthError.Code
    ) async throws {
        hardware.fail(.making, with: AuthError(code, "The test's failure."))
        let error = await #expect(throws: AuthError.self) { try await keys().current() }
        let stored = try await store.read(.dpopKey)
        #expect(error?.code == code && stored.data == nil)
    }

    /// Data that can be read and not be used.
    @Test func keyThatSignsNoMoreIsLost() async throws {
        let key = try await keys().current()
        hardware.lose()
        let error = #expect(throws: AuthError.self) { try key.sign(Data()) }
        #expect(error?.classification.sessionEnd == .keyLost)
        // A trial finds that at the next sign-in, and the new key signs.
        let next = try await keys().current()
        #expect(next.thumbprint != key.thumbprint)
        _ = try next.sign(Data())
    }

    /// Another process removed the record, such as by an app's own reset. The session of this one goes on until its end.
    @Test func keyThatWasUsedIsKeptByItsThumbprint() async throws {
        let keys = keys()
        let first = try await keys.current()
        let version = try await store.read(.dpopKey).version
        _ = try await store.write(nil, for: .dpopKey, replacing: version)
        let second = try await keys.current()
        #expect(first.thumbprint != second.thumbprint)
        #expect(try await keys.key(first.thumbprint).thumbprint == first.thumbprint)
        #expect(try await keys.key(second.thumbprint).thumbprint == second.thumbprint)
    }
}

/// Hardware whose keys can be read by the test alone.
final class SimulatedHardware: Sendable {
    enum Step: Hashable { case making, reading, signing }

    private struct State {
        var failures: [Step: AuthError] = [:]
        /// Keys that can be read, and sign no more.
        var lost: Set<Data> = []
        var made: Set<Data> = []
    }
    private let state = Lock(State())

    func fail(_ step: Step, with error: AuthError?) { state.withLock { $0.failures[step] = error } }
    /// Loses all keys that were made until now.
    func lose() { state.withLock { $0.lost = $0.made } }

    fileprivate func check(_ step: Step) throws(AuthError) {
        if let error = state.withLock({ $0.failures[step] }) { throw error }
    }

    fileprivate func isLost(_ key: Data) -> Bool { state.withLock { $0.lost.contains(key) } }

    var keys: KeyHardware {
        KeyHardware(
            make: { [self] () throws(AuthError) in
                try check(.making)
                let key = try AuthError.ofTest { try Signatures.makePrivateKey() }
                state.withLock { _ = $0.made.insert(key) }
                return try Key(of: self, key)
            },
            read: { [self] data throws(AuthError) in
                try check(.reading)
                return try Key(of: self, data)
            })
    }

    private struct Key: HardwareKey {
        let hardware: SimulatedHardware
        let stored: Data
        let publicKey: PublicKey

        init(of hardware: SimulatedHardware, _ stored: Data) throws(AuthError) {
            (self.hardware, self.stored) = (hardware, stored)
            publicKey = try AuthError.ofTest { try Signatures.publicKey(ofPrivateKey: stored) }
        }

        func sign(_ message: Data) throws(AuthError) -> Data {
            try hardware.check(.signing)
            guard !hardware.isLost(stored) else { throw .keyLost }
            return try AuthError.ofTest { try Signatures.sign(message, algorithm: .es256, privateKey: stored) }
        }
    }
}

extension AuthError {
    fileprivate static func ofTest<Value>(_ body: () throws -> Value) throws(AuthError) -> Value {
        do { return try body() } catch { throw AuthError(.unexpected, "The test's library refuses.", cause: error) }
    }
}

/// What RFC 9449 prints.
enum RFC9449 {
    static var key: PublicKey {
        get throws {
            .elliptic(
                .p256, x: try #require(Base64URL.decode("l8tFrhx-34tV3hRICRDY9zCkDlpBhF42UQUfWVAWBFs")),
                y: try #require(Base64URL.decode("9VE4jf_Ok_o64zbTTlcuNJajHmt6v9TDVrU0CdvGRDA")))
        }
    }

    static let proof = """
        eyJ0eXAiOiJkcG9wK2p3dCIsImFsZyI6IkVTMjU2IiwiandrIjp7Imt0eSI6IkVDIiwieCI6Imw4dEZyaHgtMzR0VjNoUklDUkRZOXpDa0RscEJoR\
        jQyVVFVZldWQVdCRnMiLCJ5IjoiOVZFNGpmX09rX282NHpiVFRsY3VOSmFqSG10NnY5VERWclUwQ2R2R1JEQSIsImNydiI6IlAtMjU2In19.eyJqd\
        GkiOiItQndDM0VTYzZhY2MybFRjIiwiaHRtIjoiUE9TVCIsImh0dSI6Imh0dHBzOi8vc2VydmVyLmV4YW1wbGUuY29tL3Rva2VuIiwiaWF0IjoxNT\
        YyMjYyNjE2fQ.2-GxA6T8lP4vfrg8v-FdWP0A0zdrj8igiMLvqRMUvwnQg4PtFLbdLXiOSsX0x7NVY-FNyJK70nfbV37xRZT3Lg
        """
}
