package import AuthStreams

extension Prompter {
    /// Shows each user code, and waits as a person does who answers on another device.
    package static func showing(_ show: @escaping @Sendable (UserCode) -> Void) -> Prompter {
        Prompter { challenge, _ in
            if case .userCode(let code) = challenge.step { show(code) }
            // Ends when the task is cancelled.
            while true { try await Task.sleep(for: .seconds(3600)) }
        }
    }
}

extension AuthService {
    /// Presents prompts until the task is cancelled.
    ///
    /// - Parameter answer: Receives each prompt, and `nil` for none.
    package func presenting(_ answer: @escaping @Sendable (AuthPrompt?) -> Void) -> Task<Void, Never> {
        Task { [prompts] in
            for await prompt in prompts.presenting() { answer(prompt) }
        }
    }
}

/// A view that shows prompts: a presenter for as long as it exists.
package struct PromptView {
    private var reader: AuthPrompts.Iterator

    package init(_ auth: AuthService) { reader = auth.prompts.presenting().makeAsyncIterator() }

    /// The next prompt, leaving out that there is none.
    package mutating func prompt() async -> AuthPrompt? {
        while let prompt = await reader.next() {
            if let prompt { return prompt }
        }
        return nil
    }

    /// What is shown next.
    package mutating func next() async -> AuthPrompt?? { await reader.next() }
}
