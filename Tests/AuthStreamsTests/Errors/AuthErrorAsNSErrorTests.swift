import AuthStreams
import Foundation
import Testing

/// What a crash reporter sees of an error.
@Suite struct AuthErrorAsNSErrorTests {
    @Test func everyCodeHasANumberOfItsOwnThatStays() {
        let numbers = AuthError.Code.allKnown.map(\.number)
        #expect(Set(numbers).count == AuthError.Code.allKnown.count)
        #expect(numbers.allSatisfy { (1..<10_000).contains($0) })
        #expect(AuthError.Code.cancelled.number == 1 && AuthError.Code.unexpected.number == 74)
        #expect(AuthError.Code(rawValue: "mine").number == AuthError.Code(rawValue: "mine").number)
        #expect(AuthError.Code(rawValue: "mine").number >= 10_000)
    }

    @Test func bridgedErrorKeepsWhatGroupsIt() {
        let error: any Error = AuthError(
            .misconfigured, "Check the key.", provider: .kakao, step: .exchanging, serverCode: "KOE101")
        let bridged = error as NSError
        #expect(bridged.domain == "AuthStreams.AuthError" && bridged.code == AuthError.Code.misconfigured.number)
        #expect(bridged.userInfo["code"] as? String == "misconfigured")
        #expect(bridged.userInfo["serverCode"] as? String == "KOE101")
        #expect((bridged.userInfo[NSDebugDescriptionErrorKey] as? String)?.contains("Check the key.") == true)
    }

    @Test func credentialOfAConflictIsNotInIt() {
        let credential = Credential(provider: .kakao, idToken: Secret("top secret"))
        let error = AuthError(
            .credentialInUse, "Taken.",
            conflict: AuthConflict(email: nil, providers: [.kakao], credential: credential))
        #expect(!"\((error as NSError).userInfo)".contains("top secret"))
    }

    @Test(arguments: [AuthErrorTexts.english, .korean])
    func everyShownErrorSaysWhatThePersonCanDo(texts: AuthErrorTexts) {
        #expect(Set(texts.suggestions.keys) == Set(AuthErrorTexts.Suggestion.allKnown))
        for code in AuthError.Code.allKnown {
            let error = AuthError(code, "")
            #expect((texts.suggestion(for: error) == nil) == error.isUserCancellation, "\(code)")
        }
    }

    @Test func untypedCatchGetsTheError() async {
        let task = Task { () async throws -> Void in throw AuthError(.network, "Offline.") }
        do { try await task.value } catch {
            #expect((error as? AuthError)?.code == .network)
        }
    }
}
