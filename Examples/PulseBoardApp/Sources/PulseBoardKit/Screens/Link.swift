import Foundation

/// A link of the app, such as `pulseboard://posts/7`.
enum Link: Hashable {
    case post(String)
    /// A link that this version of the app does not know.
    case unknown(String)

    init(_ url: URL) {
        let path = url.pathComponents.filter { $0 != "/" }
        self =
            if url.host() == "posts", path.count == 1 { .post(path[0]) } else {
                // What follows the path may be private.
                .unknown("\(url.scheme ?? "")://\(url.host() ?? "")\(url.path())")
            }
    }

    var title: String {
        switch self {
        case .post(let id): "Post \(id)"
        case .unknown(let address): "There is no page \(address)."
        }
    }
}
