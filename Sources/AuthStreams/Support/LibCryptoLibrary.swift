#if !AUTH_DARWIN
    #if canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #endif

    /// OpenSSL's libcrypto, found at run time.
    ///
    /// FoundationNetworking has already loaded the library for TLS, so no package dependency is needed. The functions that are used
    /// are the same in versions 1.1.1 and 3; none of them is variadic.
    package struct LibCryptoLibrary: Sendable {
        /// The library in memory, where it stays. It never changes, and `dlsym` may be called on every thread, hence unchecked.
        private nonisolated(unsafe) let handle: UnsafeMutableRawPointer

        /// The system's library; `nil` if there is none.
        package static let shared: Self? =
            isSwitchedOff ? nil : ["libcrypto.so.3", "libcrypto.so.1.1"].lazy.compactMap { Self($0) }.first

        /// Loads a library; `nil` if the system does not have it.
        package init?(_ name: String) {
            guard let handle = dlopen(name, RTLD_NOW | RTLD_LOCAL) else { return nil }
            self.handle = handle
        }

        /// A function of the library; `nil` if it has none of that name.
        ///
        /// - Parameter type: Its type in C.
        package func function<Function>(_ name: String, as type: Function.Type = Function.self) -> Function? {
            dlsym(handle, name).map { unsafeBitCast($0, to: type) }
        }

        /// Whether a test plays a system without the library.
        private static var isSwitchedOff: Bool {
            #if DEBUG
                getenv("AUTHSTREAMS_WITHOUT_LIBCRYPTO").map { String(cString: $0) } == "1"
            #else
                false
            #endif
        }
    }
#endif
