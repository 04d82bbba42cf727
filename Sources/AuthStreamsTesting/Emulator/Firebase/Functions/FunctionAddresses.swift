import Foundation

/// The addresses of a function: its name on the region's host, and its own URLs.
struct FunctionAddresses: Sendable {
    private let endpoints: Set<String>
    let hosts: [String]

    init(of project: EmulatorConfiguration.Firebase) {
        let urls = project.functionURLs.compactMap(URL.init(string:))
        endpoints = Set(
            urls.map { ($0.host() ?? "") + ($0.path().isEmpty ? "/" : $0.path()) }
                + ["\(project.functionsHost)/\(project.function)"])
        hosts = Set(urls.compactMap { $0.host() } + [project.functionsHost]).sorted()
    }

    func contains(_ request: EmulatorRequest) -> Bool { endpoints.contains(request.host + request.path) }
}
