import AuthStreams
import AuthStreamsOAuth
import AuthStreamsTesting
import Testing

/// Every provider of ours keeps what a provider promises, against the emulator.
@Suite struct ProvidersKeepTheirPromisesTests {
    @Test(arguments: AuthProviderContract.checks)
    func appleWeb(keepsThePromise promise: ContractCheck<AuthProviderContract>) async throws {
        _ = try await withEmulator { try await contract(of: \.apple, at: $0).verify(promise) }
    }

    @Test(arguments: AuthProviderContract.checks)
    func google(keepsThePromise promise: ContractCheck<AuthProviderContract>) async throws {
        _ = try await withEmulator { try await contract(of: \.google, at: $0).verify(promise) }
    }

    /// KakaoTalk and the Naver app answer without a `state`, so two visits at once cannot be told apart.
    @Test(arguments: AuthProviderContract.checks)
    func kakaoByKakaoTalk(keepsThePromise promise: ContractCheck<AuthProviderContract>) async throws {
        _ = try await withEmulator {
            try await contract(of: \.kakao, at: $0, crossing: [.app]).verify(promise)
        }
    }

    @Test(arguments: AuthProviderContract.checks)
    func naverByItsApp(keepsThePromise promise: ContractCheck<AuthProviderContract>) async throws {
        _ = try await withEmulator {
            try await contract(of: \.naver, at: $0, crossing: [.app]).verify(promise)
        }
    }

    @Test(arguments: AuthProviderContract.checks)
    func openID(keepsThePromise promise: ContractCheck<AuthProviderContract>) async throws {
        _ = try await withEmulator { try await contract(of: \.openID, at: $0).verify(promise) }
    }

    /// One promise cannot hold: a person who closes the page on the other device is not seen on this one, and the code stays valid.
    @Test(arguments: AuthProviderContract.checks.filter { $0.name != turningBack })
    func deviceCode(keepsThePromise promise: ContractCheck<AuthProviderContract>) async throws {
        try await AnsweredCodes.verify(promise)
    }

    private static let turningBack = "a person who turns back ends the attempt with cancelled or abandoned"

    /// In place of that promise: the code expires.
    @Test func personWhoTurnsBackFromACodeLetsItExpire() async throws {
        let turningBack = try #require(AuthProviderContract.checks.first { $0.name == Self.turningBack })
        let error = await #expect(throws: ContractViolations.self) {
            try await AnsweredCodes.verify(turningBack)
        }
        #expect(error.map { "\($0)".contains("timedOut") } == true)
    }

    /// The emulated server sends the options, and the emulated device signs.
    @Test(.enabled(if: Signatures.isAvailable, "needs libcrypto"), arguments: AuthProviderContract.checks)
    func passkey(keepsThePromise promise: ContractCheck<AuthProviderContract>) async throws {
        try await PasskeyPerson.verify(promise)
    }

    @Test(arguments: AuthProviderContract.checks)
    func scripted(keepsThePromise promise: ContractCheck<AuthProviderContract>) async throws {
        try await AuthProviderContract(secrets: { [Secret("a token of the script")] }) { person, witness in
            scriptedProvider(person, witness)
        }.verify(promise)
    }
}
