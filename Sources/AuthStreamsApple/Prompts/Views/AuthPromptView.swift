#if AUTH_SWIFTUI
    import Accessibility
    import AuthStreams
    import Foundation
    public import SwiftUI

    /// The content of a sheet that asks for one more step.
    ///
    /// `authPrompts(texts:)` and ``AuthPromptPresenter`` present it. It is the same form for each kind of prompt, which grows with the
    /// person's text size and scrolls. VoiceOver says what is asked, or why it is asked again. Return leads from field to field; in
    /// the last one it sends the answer.
    public struct AuthPromptView: View {
        @FocusState private var focus: String?
        private let model: AuthPromptModel

        /// Makes the content of a sheet.
        public init(_ model: AuthPromptModel) { self.model = model }

        /// The parts of the prompt, one below the other.
        public var body: some View {
            Form {
                AuthPromptQuestion(model: model)
                if model.content.shown != nil { AuthPromptShownSection(model: model) }
                AuthPromptAnswers(model: model, focus: $focus)
                if let validUntil = model.validUntil { Text(verbatim: validUntil).font(.caption) }
                AuthPromptButtons(model: model)
            }
            .formStyle(.grouped)
            #if os(macOS)
                .frame(minWidth: 360, idealWidth: 420, minHeight: 320, idealHeight: 480)
            #endif
            .onSubmit { moveFocusOrSubmit() }
            .task(id: model.step) {
                focus = model.firstInput
                announce()
            }
        }

        private func moveFocusOrSubmit() {
            if let next = model.content.input(after: focus) { focus = next } else { model.submit() }
        }

        private func announce() {
            var announcement = AttributedString(model.announcement)
            // It is said also while VoiceOver reads the sheet that appears.
            announcement.accessibilitySpeechAnnouncementPriority = .high
            AccessibilityNotification.Announcement(announcement).post()
        }
    }

    /// What is asked, and why it is asked again.
    private struct AuthPromptQuestion: View {
        let model: AuthPromptModel

        var body: some View {
            Section {
                Text(verbatim: model.content.title).font(.title2).accessibilityAddTraits(.isHeader)
                if let explanation = model.content.explanation { Text(verbatim: explanation) }
                if let failure = model.failure { Text(verbatim: failure).foregroundStyle(.red) }
            }
        }
    }

    /// The fields that the person fills in, and the factors that they choose from.
    private struct AuthPromptAnswers: View {
        let model: AuthPromptModel
        let focus: FocusState<String?>.Binding

        var body: some View {
            Section {
                ForEach(model.content.fields, id: \.id) { field in
                    AuthPromptFieldView(model: model, field: field).focused(focus, equals: field.id)
                }
                ForEach(model.content.choices, id: \.id) { choice in
                    Button {
                        model.choose(choice)
                    } label: {
                        VStack(alignment: .leading) {
                            Text(verbatim: choice.title)
                            if let detail = choice.detail { Text(verbatim: detail).font(.caption) }
                        }
                    }
                    .disabled(!model.canAnswer)
                }
            }
        }
    }

    /// The buttons that send the answer, ask for another code or link, and end the attempt.
    private struct AuthPromptButtons: View {
        let model: AuthPromptModel

        var body: some View {
            Section {
                if let title = model.content.submitTitle { AuthPromptSubmitButton(model: model, title: title) }
                if let title = model.content.resendTitle { AuthPromptResendButton(model: model, title: title) }
                Button(role: .cancel) {
                    model.cancel()
                } label: {
                    Text(verbatim: model.texts.cancel)
                }
                #if os(macOS)
                    .keyboardShortcut(.cancelAction)
                #endif
            }
        }
    }

    /// The button that sends the answer, or shows the page.
    private struct AuthPromptSubmitButton: View {
        let model: AuthPromptModel
        let title: String

        var body: some View {
            Button {
                model.submit()
            } label: {
                HStack {
                    Text(verbatim: title)
                    if model.isSending { ProgressView().accessibilityHidden(true) }
                }
            }
            .disabled(!model.canSubmit)
            .accessibilityValue(Text(verbatim: model.isSending ? model.texts.sending : ""))
            #if os(macOS)
                // Where there are fields, Return leads through them.
                .keyboardShortcut(model.content.inputs.isEmpty ? .defaultAction : nil)
            #endif
        }
    }

    /// The button that asks for another code or link, with the time until then.
    private struct AuthPromptResendButton: View {
        let model: AuthPromptModel
        let title: String

        var body: some View {
            Button {
                model.resend()
            } label: {
                HStack {
                    Text(verbatim: title)
                    if let wait { Text(verbatim: wait.seen).accessibilityHidden(true) }
                }
            }
            .disabled(!model.canResend)
            .accessibilityValue(Text(verbatim: wait?.heard ?? ""))
        }

        /// The time as it is seen and as VoiceOver says it.
        private var wait: (seen: String, heard: String)? {
            let seconds = model.secondsUntilResend
            guard seconds > 0 else { return nil }
            let time = Duration.seconds(seconds).formatted(.time(pattern: .minuteSecond))
            return (
                model.texts.resendLater.replacing("{time}", with: time),
                model.texts.resendWait.replacing("{seconds}", with: "\(seconds)")
            )
        }
    }
#endif
