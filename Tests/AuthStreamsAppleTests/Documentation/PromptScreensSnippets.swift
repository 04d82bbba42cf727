import AuthStreams
import AuthStreamsApple
import Foundation
import SwiftUI
import UIKit

// What the article 'The screens of one more step' shows is between the marks.

@MainActor private enum Screens {
    static let auth = AuthService.preview()

    struct ContentView: View {
        var body: some View { Text("content") }
    }

    struct HomeView: View {
        var body: some View { Text("home") }
    }

    struct LoginView: View {
        var body: some View { SignInPicker() }
    }

    struct PromptApp: App {
        var body: some Scene {
            // PromptScreens: swiftui
            WindowGroup {
                ContentView().authPrompts().authService(auth)
            }
            // PromptScreens end
        }
    }

    struct Login: Identifiable {
        let id: Int
    }

    struct ScreenWithLogin: View {
        @State private var login: Login?

        var body: some View {
            // PromptScreens: in a sheet
            HomeView().sheet(item: $login) { _ in
                LoginView().authPrompts()
            }
            // PromptScreens end
        }
    }

    // PromptScreens: uikit
    final class SceneDelegate: UIResponder, UIWindowSceneDelegate {
        private let prompts = AuthPromptPresenter(auth)
    }
    // PromptScreens end

    @MainActor
    static func ownTexts(_ locale: Locale) -> some View {
        // PromptScreens: texts
        var texts = AuthPromptTexts.standard(for: locale)
        texts.fieldLabels["school"] = "School"
        return ContentView().authPrompts(texts: texts)
        // PromptScreens end
    }

    @MainActor
    static func ownSheet(_ prompt: AuthPrompt, _ title: UILabel, entered: (AuthPromptContent.Field) -> String) {
        func text(for field: AuthPromptContent.Field) -> String { entered(field) }
        // PromptScreens: model
        let model = AuthPromptModel(prompt)
        title.text = model.content.title
        for field in model.content.fields { model.enter(text(for: field), in: field) }
        if model.canSubmit { model.submit() }
        // PromptScreens end
    }

    @MainActor @ViewBuilder
    static func previews(_ challenge: Challenge) -> some View {
        // PromptScreens: previews
        ContentView().authPrompts().environment(\.auth, .preview(.asking(.code)))
        ContentView().authPrompts().environment(\.auth, .preview(.asking(.code), failing: .codeMismatch))
        AuthPromptView(AuthPromptModel(AuthPrompt(challenge), locale: Locale(identifier: "ko")))
        // PromptScreens end
    }
}
