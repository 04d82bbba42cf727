extension ScriptedBrowser.Answer {
    private static let agreeing: Set<String> = [
        "approve", "allow", "agree", "accept", "continue", "authorize", "yes", "ok", "동의", "허용", "계속", "승인",
    ]
    private static let refusing: Set<String> = [
        "deny", "cancel", "refuse", "reject", "decline", "no", "취소", "거부",
    ]

    /// Returns the form's button for the person's answer, if there is one.
    ///
    /// A button's value, name or label tells its meaning. One that names the account to choose agrees, and so does the
    /// only button of a form unless it refuses.
    func button(of form: HTMLForm) -> HTMLForm.Control? {
        switch kind {
        case .approve(let userID):
            form.buttons.first { $0.value == userID } ?? form.buttons.first { $0.says(Self.agreeing) }
                ?? form.buttons.first { form.buttons.count == 1 && !$0.says(Self.refusing) }
        case .deny: form.buttons.first { $0.says(Self.refusing) }
        case .close, .ignore: nil
        }
    }

    /// Returns the account to choose among the form's radios, unless the button is the choice.
    func choice(beside button: HTMLForm.Control) -> String? {
        guard case .approve(let userID?) = kind, button.value != userID else { return nil }
        return userID
    }
}

extension HTMLForm.Control {
    fileprivate func says(_ words: Set<String>) -> Bool {
        [value, name, label].contains { text in
            text.lowercased().split { !$0.isLetter }.contains { words.contains(String($0)) }
        }
    }
}
