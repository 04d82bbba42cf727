#if AUTH_SWIFTUI
    import Accessibility
    import AuthStreams
    import Foundation
    import SwiftUI

    /// What the person scans, types in elsewhere, or opens on this device.
    struct AuthPromptShownSection: View {
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
