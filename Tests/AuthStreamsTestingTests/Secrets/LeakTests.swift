import AuthStreams
import AuthStreamsTesting
import Foundation
import TestSupport
import Testing

/// After a flow, no provider token, code, verifier or nonce is in the store, on the output, or in any event.
@Suite(.limitedParallelization) struct LeakTests {
    struct Flow: CustomTestStringConvertible, Sendable {
        let provider: ProviderID
        let person: String
        var backend = EmulatedDevice.Backend.firebase
        var fault: (EmulatorFault, EmulatorEndpoint)?
        var testDescription: String {
            "\(provider), \(person), \(backend)\(fault.map { ", a fault at \($0.1)" } ?? "")"
        }
    }

    private static let identityToolkit: EmulatorEndpoint = "identitytoolkit.googleapis.com"

    static let flows: [Flow] =
        [ProviderID.apple, .google, .kakao, .naver].flatMap { provider in
            ["approve", "deny", "cancel"].map { Flow(provider: provider, person: $0) }
                + [
                    Flow(provider: provider, person: "approve", fault: (.html, identityToolkit)),
                    Flow(provider: provider, person: "approve", fault: (.status(500), identityToolkit)),
                    Flow(provider: provider, person: "approve", backend: .server),
                    Flow(provider: provider, person: "approve", backend: .server, fault: (.html, .serverSignIn)),
                    // By the page: for a better answer of the Naver app the attempt would wait.
                    Flow(
                        provider: provider, person: provider == .naver ? "page" : "approve", backend: .server,
                        fault: (.error("invalid-credential"), .serverSignIn)),
                ]
        } + [
            Flow(provider: .google, person: "approve", fault: (.wrongNonce, .googleToken)),
            Flow(provider: .google, person: "approve", fault: (.error("invalid_grant"), .googleToken)),
            Flow(provider: .kakao, person: "page", fault: (.error("KOE320"), .kakaoToken)),
            Flow(provider: .kakao, person: "approve", fault: (.wrongAudience, .kakaoToken)),
        ]

    @Test(arguments: flows) func noSecretOfTheProviderLeaks(flow: Flow) async throws {
        try await withTemporaryFolder { folder in
            try await withEmulator { emulator in
                if let (fault, endpoint) = flow.fault { emulator.inject(fault, at: endpoint, .always) }
                let app = try probeApp(
                    emulator.baseURL, folder, provider: flow.provider, person: flow.person, backend: flow.backend)
                let status = await app.status()
                let said = app.output + app.errors
                #expect((status == 0) == (flow.person == "approve" && flow.fault == nil))
                #expect(said.contains("signingIn"), "The app must have said something.")

                let stored = try contents(of: folder)
                if status == 0 { #expect(!stored.isEmpty) }
                let secrets = emulator.issuedSecrets
                for secret in secrets where !secret.value.isEmpty {
                    let value = secret.value.reveal()
                    #expect(!said.contains(value), "\(secret) was said")
                    if secret.isProviderSecret { #expect(!stored.contains(value), "\(secret) was stored") }
                }
                if flow.person == "approve" { #expect(secrets.count(where: \.isProviderSecret) > 0) }
            }
        }
    }

    private func contents(of folder: URL) throws -> String {
        guard FileManager.default.fileExists(atPath: folder.path()) else { return "" }
        return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            // A removed record leaves an empty folder.
            .filter { !$0.hasDirectoryPath }
            .map { String(decoding: try Data(contentsOf: $0), as: UTF8.self) }.joined()
    }
}
