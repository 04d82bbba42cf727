import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension URLRequest {
    /// The request in Foundation's words.
    init(_ request: HTTPRequest) {
        self.init(url: request.url)
        httpMethod = request.method.rawValue
        httpBody = request.body
        httpShouldHandleCookies = false
        cachePolicy = .reloadIgnoringLocalCacheData
        // Foundation's limit is one of idleness, and whole seconds on Linux. The transport measures the whole exchange,
        // so this one only has to be later.
        timeoutInterval = TimeInterval(request.timeout.components.seconds) + 10
        for (name, value) in request.headers { setValue(value, forHTTPHeaderField: name.canonical) }
    }
}

extension URLSessionConfiguration {
    /// Keeps nothing but connections.
    static var bare: URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.httpCookieAcceptPolicy = .never
        configuration.urlCache = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.urlCredentialStorage = nil
        return configuration
    }
}
