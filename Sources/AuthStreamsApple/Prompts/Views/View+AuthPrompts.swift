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
        /// Apply it to the root view of each scene. Of several, one presents whose scene is in the foreground, the one that came
        /// there last. A sheet waits while another one of the same view is up. So apply it, too, to the content of a sheet in which
        /// people sign in: where one is inside the other, the inner one presents.
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
        }

        @Environment(\.auth) private var auth
        @Environment(\.locale) private var locale
        @Environment(\.scenePhase) private var phase
        @Environment(\.authPromptDepth) private var depth
        @State private var sheet = AuthPromptSheet()
        let content: Content
        let texts: AuthPromptTexts?

        /// A view of a scene in the background presents where no other can.
        private var rank: Int { phase == .background ? depth - Self.foreground : depth }

        /// More than the depth of any view.
        private static var foreground: Int { 1 << 16 }

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
                .onChange(of: rank, initial: true) { sheet.rank = rank }
                .task(id: Source(auth: ObjectIdentifier(auth), locale: locale, texts: texts)) {
                    let (prompts, clock) = (auth.prompts, auth.clock)
                    await sheet.follow(prompts, by: clock, locale: locale, texts: texts)
                }
                .environment(\.authPromptDepth, depth + 1)
        }
    }

    private struct AuthPromptDepthKey: EnvironmentKey {
        static var defaultValue: Int { 0 }
    }

    extension EnvironmentValues {
        /// How many views around this one present prompts.
        fileprivate var authPromptDepth: Int {
            get { self[AuthPromptDepthKey.self] }
            set { self[AuthPromptDepthKey.self] = newValue }
        }
    }
#endif
