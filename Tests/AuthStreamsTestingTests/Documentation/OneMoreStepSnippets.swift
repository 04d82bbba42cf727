import AuthStreams
import AuthStreamsTesting
import Foundation

// What the article 'Ask for one more step' shows is between the marks, in functions that supply what it leaves out.

/// The app's own screen.
@MainActor private protocol PromptScreen: AnyObject {
    var prompt: AuthPrompt? { get set }

    func code(sentTo destination: String?, digits: Int?, after failure: AuthError?) async -> String
    func wants(_ page: URL) async -> Bool
    func choice(of factors: [Challenge.Factor]) async -> Challenge.Factor
    func values(of fields: [Challenge.Field], after failure: AuthError?) async -> [String: String]
}

@MainActor private func present(_ auth: AuthService, on screen: any PromptScreen) async {
    // OneMoreStep: present
    for await prompt in auth.prompts.presenting() { screen.prompt = prompt }
    // OneMoreStep end
}

@MainActor private func answer(_ prompt: AuthPrompt, on screen: any PromptScreen) async {
    // OneMoreStep: answer
    if let code = prompt.code {
        code.submit(await screen.code(sentTo: code.destination, digits: code.length, after: prompt.failure))
    } else if let factors = prompt.factors {
        factors.choose(await screen.choice(of: factors.all))
    } else if let form = prompt.form {
        form.submit(await screen.values(of: form.fields, after: prompt.failure))
    } else if let page = prompt.page {
        if await screen.wants(page.url) { page.open() } else { prompt.cancel() }
    } else {
        prompt.cancel()  // a kind that this version of the app does not show
    }
    // OneMoreStep end
}

private func stepUp(_ auth: AuthService, _ transfer: URL) async throws -> Int {
    // OneMoreStep: step up
    let answer = try await auth.data(for: AuthHTTPRequest(.post, transfer))  // asks, if the server wants it
    // OneMoreStep end
    return answer.status
}

private func preview() -> AuthPrompt {
    // OneMoreStep: preview
    let challenge = Challenge(.code(.init(to: "a•••@example.com", length: 6)), expiresIn: .seconds(300))
    let prompt = AuthPrompt(challenge, provider: .kakao, onAnswer: { answer in print(answer) })
    // OneMoreStep end
    return prompt
}

private func script() -> ScriptedRepository {
    // OneMoreStep: script
    var account = ScriptedAccount()
    account.answer = { challenge, answer, _ in
        guard answer == .code(Secret("123456")) else {
            throw AuthError(.codeMismatch, "The code is wrong.", challenge: challenge)
        }
        return ScriptedRepository.session(of: Credential(provider: .kakao, userID: "1001"))
    }
    let challenge = Challenge(.code(.init(length: 6)), pendingToken: Secret("pending"))
    let repository = ScriptedRepository(
        establish: { _ in throw AuthError(.secondFactorRequired, "A second factor.", challenge: challenge) },
        account: account)
    // OneMoreStep end
    return repository
}
