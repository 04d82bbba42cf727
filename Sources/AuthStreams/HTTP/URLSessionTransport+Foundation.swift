import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension URLRequest {
    /// Makes Foundation's request.
    init(_ request: AuthHTTPRequest) {
        self.init(url: request.url)
        httpMethod = request.method.rawValue
        httpBody = request.body
        httpShouldHandleCookies = false
        cachePolicy = .reloadIgnoringLocalCacheData
        // Foundation's limit measures idle time by a clock of its own. The transport measures the whole exchange by the
        // clock that it was given, so Foundation's limit has to be later: a week, or more for a longer timeout.
        timeoutInterval = max(604_800, request.timeout / .seconds(1) + 10)
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
