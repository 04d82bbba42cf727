import Foundation
import LoopbackHTTP

/// The page with the mails and text messages that a service has sent.
struct SentMessagesPage {
    struct Item {
        let kind: String
        let recipient: String
        let code: String?
        let link: URL?
    }

    let title: String
    /// The oldest first.
    let items: [Item]

    var response: LoopbackResponse {
        let list = items.reversed().map { item in
            let kind = HTML.escape(item.kind)
            let name = item.link.map { #"<a href="\#(HTML.escape($0.absoluteString))">\#(kind)</a>"# } ?? kind
            let code = item.code.map { "<code>\(HTML.escape($0))</code>" } ?? ""
            return "<li>\(name)<br>\(HTML.escape(item.recipient)) \(code)</li>"
        }
        var response = LoopbackResponse.html(
            PageStyle.document(
                title: title,
                body: """
                    <h1>\(HTML.escape(title))</h1>
                    <ul>
                    \(list.joined(separator: "\n"))
                    </ul>
                    <p class="quiet">The newest first. None leaves this machine.</p>
                    """))
        response.headers.append(("Cache-Control", "no-store"))
        return response
    }
}
