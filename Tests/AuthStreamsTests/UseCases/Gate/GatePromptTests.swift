import AuthStreamsTesting
import Foundation
import TestSupport
import Testing

@testable import AuthStreams

/// Prompts while the gate is closed.
@Suite struct GatePromptTests {
    @Test func promptOfAChangeIsHiddenWhileTheGateIsClosed() async throws {
        var account = ScriptedAccount()
        account.updateProfile = { _, _ in
            throw AuthError(.secondFactorRequired, "A code.", challenge: PromptFixture.code)
        }
        account.answer = { _, _, session in session ?? GateScene.ada }
        let scene = try await GateScene.passed(account: account)
        var view = PromptView(scene.auth)
        let change = Task { try await scene.auth.updateProfile(displayName: .set("Ada")).value }
        let prompt = try #require(await view.prompt())
        scene.beAway(for: GateScene.absence)
        #expect(try #require(await view.next()) == nil)
        // The view closes its sheet, which cancels nothing.
        prompt.cancel()
        try await scene.doorkeeper.question(2).pass()
        let again = try #require(await view.prompt())
        #expect(again.isSame(as: prompt))
        again.code?.submit("123456")
        #expect(try await change.value.id == "ada")
    }

    @Test func promptOfASignInIsShownWhileTheGateIsClosed() async throws {
        let provider = ScriptedProvider(.kakao) { request in
            _ = try await request.prompter.answer(to: PromptFixture.code)
            return Credential(provider: .kakao, userID: "bob", isBound: true)
        }
        let scene = try await GateScene(providers: [provider])
        let question = try await scene.doorkeeper.question(1)
        var view = PromptView(scene.auth)
        let attempt = Task { try await scene.auth.signIn(with: .kakao).value }
        try #require(await view.prompt()).code?.submit("123456")
        #expect(try await attempt.value.user.id == "bob")
        question.refuse()
    }
}
