#if AUTH_SWIFTUI
    import AuthStreams
    import Foundation
    public import SwiftUI

    extension View {
        /// Presents a sheet while an attempt of the service asks for one more step: a code, a second factor, a form, a page.
        ///
        /// ```swift
        /// WindowGroup {
        ///     ContentView().authPrompts().authService(auth)
        /// }
        /// ```
        ///
        /// The service is that of the environment. The steps of an attempt follow one another in one sheet, which closes with the
        /// attempt. A person who closes it cancels the attempt.
        ///
        /// Apply it to the root view of each scene. Of several, the one presents that appeared last, or whose scene became active
        /// last. A sheet waits while another one
        /// of the same view is up; so apply it, too, to the content of a sheet in which people sign in.
        ///
        /// - Parameter texts: The texts; the standard ones in the language of the environment unless given.
        public func authPrompts(texts: AuthPromptTexts? = nil) -> some View {
            AuthPromptSheetView(content: self, texts: texts)
        }
    }

    private struct AuthPromptSheetView<Content: View>: View {
        private struct Source: Equatable {
            let auth: ObjectIdentifier
            let locale: Locale
            let texts: AuthPromptTexts?
            let activations: Int
        }

        @Environment(\.auth) private var auth
        @Environment(\.locale) private var locale
        @Environment(\.scenePhase) private var phase
        /// How often the scene has become active: each time, its view becomes the one that presents.
        @State private var activations = 0
        @State private var sheet = AuthPromptSheet()
        let content: Content
        let texts: AuthPromptTexts?

        var body: some View {
            let item = Binding {
                sheet.presented
            } set: {
                if $0 == nil { sheet.closedByPerson() }
            }
            content
                .sheet(item: item) { model in
                    AuthPromptView(model).onAppear { sheet.onScreen = model }
                }
                .onChange(of: phase) { if phase == .active { activations += 1 } }
                .task(
                    id: Source(
                        auth: ObjectIdentifier(auth), locale: locale, texts: texts, activations: activations)
                ) {
                    let (prompts, clock) = (auth.prompts, auth.clock)
                    await sheet.follow(prompts, by: clock, locale: locale, texts: texts)
                }
        }
    }
#endif
