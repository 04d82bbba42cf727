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
            let content = model.content
            Form {
                Section {
                    Text(verbatim: content.title).font(.title2).accessibilityAddTraits(.isHeader)
                    if let explanation = content.explanation { Text(verbatim: explanation) }
                    if let failure = model.failure { Text(verbatim: failure).foregroundStyle(.red) }
                }
                if content.shown != nil { AuthPromptShownSection(model: model) }
                Section {
                    ForEach(content.fields, id: \.id) { field in
                        AuthPromptFieldView(model: model, field: field).focused($focus, equals: field.id)
                    }
                    ForEach(content.choices, id: \.id) { choice in
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
                if let validUntil = model.validUntil { Text(verbatim: validUntil).font(.caption) }
                buttons
            }
            .formStyle(.grouped)
            #if os(macOS)
                .frame(minWidth: 360, idealWidth: 420, minHeight: 320, idealHeight: 480)
            #endif
            .onSubmit {
                if let next = content.inputs.drop(while: { $0 != focus }).dropFirst().first {
                    focus = next
                } else {
                    model.submit()
                }
            }
            .task(id: model.step) {
                // A field that was refused has been cleared.
                focus = content.inputs.first { model.isEmpty($0) } ?? content.inputs.first
                var announcement = AttributedString(model.announcement)
                // It is said also while VoiceOver reads the sheet that appears.
                announcement.accessibilitySpeechAnnouncementPriority = .high
                AccessibilityNotification.Announcement(announcement).post()
            }
        }

        private var buttons: some View {
            Section {
                if let title = model.content.submitTitle {
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
                if let title = model.content.resendTitle {
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

        /// The time until another code can be asked for, as it is seen and as VoiceOver says it.
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

    /// What the person scans, types in elsewhere, or opens on this device.
    private struct AuthPromptShownSection: View {
        let model: AuthPromptModel
        private var content: AuthPromptContent { model.content }
        private var texts: AuthPromptTexts { model.texts }
        /// Whether it is the key of an authenticator app, which stays on this device.
        private var isKey: Bool { model.prompt.enrollment != nil }

        var body: some View {
            Section {
                #if AUTH_CORE_IMAGE
                    if let code = content.qrCode, let image = QRCode.image(of: code) {
                        Image(image, scale: 1, label: Text(verbatim: texts.qrCode))
                            .interpolation(.none).resizable().scaledToFit().frame(maxWidth: 240)
                            // The margin that cameras expect, also in the dark.
                            .padding().background(.white, in: RoundedRectangle(cornerRadius: 12))
                    }
                #endif
                if let shown = content.shown {
                    VStack(alignment: .leading) {
                        Text(verbatim: shown.label).font(.caption)
                        selectable(
                            Text(verbatim: shown.value.reveal()).speechSpellsOutCharacters().font(.body.monospaced()))
                    }
                    #if !os(tvOS) && !os(watchOS)
                        Button {
                            Pasteboard.copy(shown.value, isLocal: isKey)
                            AccessibilityNotification.Announcement(texts.copied).post()
                        } label: {
                            Text(verbatim: texts.copy)
                        }
                    #endif
                }
                #if !os(tvOS) && !os(watchOS)
                    if let title = content.linkTitle, let url = content.link.flatMap({ URL(string: $0.reveal()) }) {
                        Link(destination: url) { Text(verbatim: title) }
                    }
                #endif
            }
        }

        /// A selection is copied to all devices of the person, and stays.
        @ViewBuilder private func selectable(_ text: some View) -> some View {
            #if os(tvOS) || os(watchOS)
                text
            #else
                if isKey { text } else { text.textSelection(.enabled) }
            #endif
        }
    }
#endif
