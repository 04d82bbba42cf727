import AuthStreams
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

    @Test(arguments: AuthProviderContract.checks)
    func scripted(keepsThePromise promise: ContractCheck<AuthProviderContract>) async throws {
        try await AuthProviderContract(secrets: { [Secret("a token of the script")] }) { person, witness in
            scriptedProvider(person, witness)
        }.verify(promise)
    }
}
