import AuthStreams
import AuthStreamsTesting
import AuthenticationServices
import Foundation
import TestSupport
import UIKit

/// A person who answers Apple's sheet, with what the emulated Apple issues.
@MainActor
final class PersonAtTheSheet {
    private let emulator: Emulator
    /// The person's identifier, name or address at the emulated Apple; the first one unless set.
    var name: String?
    /// The errors with which the next sheets end, before one is agreed to.
    var refusals: [ASAuthorizationError.Code] = []

    init(at emulator: Emulator) {
        self.emulator = emulator
    }

    /// Answers every sheet of the simulated device from now on.
    func answerAll() {
        AppleDevice.AppleID.answer = { attempt in
            Task {
                // The sheet ends with the error, so that the test that waits for the attempt fails.
                do { try await self.answer(attempt) } catch { attempt.fail(error) }
            }
        }
    }

    func answer(_ attempt: AppleDevice.AppleID.Attempt) async throws {
        guard refusals.isEmpty else { return attempt.fail(ASAuthorizationError(refusals.removeFirst())) }
        attempt.succeed(with: try await agree(to: attempt.request))
    }

    private func agree(to request: ASAuthorizationAppleIDRequest?) async throws -> ASAuthorizationAppleIDCredential {
        let names: [ASAuthorization.Scope: String] = [.fullName: "name", .email: "email"]
        let fields = [
            ("client_id", emulator.configuration.apple.bundleID), ("user", name ?? ""),
            ("nonce", request?.nonce ?? ""),
            ("scope", (request?.requestedScopes ?? []).compactMap { names[$0] }.joined(separator: " ")),
        ]
        let response = try await EmulatorTransport.untimed(to: emulator).send(
            AuthHTTPRequest(
                .post, emulator.url(for: "https://appleid.apple.com/emulator/sheet"),
                headers: [.contentType: FormCoding.contentType],
                body: Data(FormCoding.encode(fields).utf8)))
        let answer = AuthJSON(json: response.body)
        var fullName = PersonNameComponents()
        (fullName.givenName, fullName.familyName) = (answer?["givenName"]?.string, answer?["familyName"]?.string)
        func data(_ name: String) -> Data? { answer?[name]?.string.map { Data($0.utf8) } }
        return .simulated(
            user: answer?["user"]?.string ?? "", identityToken: data("identityToken"),
            authorizationCode: data("authorizationCode"), state: request?.state, email: answer?["email"]?.string,
            fullName: fullName)
    }
}
