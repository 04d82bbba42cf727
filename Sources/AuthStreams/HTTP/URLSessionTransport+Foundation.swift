import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension URLRequest {
    /// Makes Foundation's request.
    init(_ request: HTTPRequest) {
        self.init(url: request.url)
        httpMethod = request.method.rawValue
        httpBody = request.body
        httpShouldHandleCookies = false
        cachePolicy = .reloadIgnoringLocalCacheData
        // Foundation's limit measures idle time, in whole seconds on Linux. The transport measures the whole exchange,
        // so this limit only has to be later.
        timeoutInterval = TimeInterval(request.timeout.components.seconds) + 10
        for (name, value) in request.headers { setValue(value, forHTTPHeaderField: name.canonical) }
    }
}

extension URLSessionConfiguration {
    /// A configuration without cache, cookies or credentials.
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
