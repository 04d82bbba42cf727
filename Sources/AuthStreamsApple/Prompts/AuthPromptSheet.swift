import AuthStreams
import Foundation
import Observation

/// The sheet of the attempt that asks, for a view or a window that shows prompts to the person.
@MainActor @Observable
final class AuthPromptSheet {
    private var model: AuthPromptModel?
    /// What the system shows, which may be behind.
    @ObservationIgnored weak var onScreen: AuthPromptModel?

    /// What is to be shown; `nil` for no sheet.
    var presented: AuthPromptModel? { model.flatMap { $0.isClosed ? nil : $0 } }

    /// Of several sheets of a service, the one of the highest rank presents.
    @ObservationIgnored var rank = 0 { didSet { place?.move(to: rank) } }
    @ObservationIgnored private weak var place: AuthPromptPlace?

    /// Presents the prompts of a service until the task is cancelled or the service is released.
    func follow(_ prompts: AuthPrompts, by clock: AuthClock, locale: Locale, texts: AuthPromptTexts?) async {
        let place = prompts.place(rank: rank)
        self.place = place
        for await prompt in prompts.presenting(at: place) {
            if let model, model.id == prompt?.id {
                model.show(in: locale, texts ?? .standard(for: locale))
                if let prompt { model.show(prompt) }
            } else {
                model?.close()
                model = prompt.map { AuthPromptModel($0, locale: locale, texts: texts, clock: clock) }
            }
        }
        if !Task.isCancelled { end() }
    }

    /// The person has closed what is on the screen. Ends the attempt that asked there, and no other.
    func closedByPerson() { onScreen?.cancel() }

    /// Closes the sheet without an answer.
    func end() {
        model?.close()
        model = nil
    }
}
