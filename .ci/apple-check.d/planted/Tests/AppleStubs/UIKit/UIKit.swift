@MainActor public final class UIApplication {
    @available(iOSApplicationExtension, unavailable, message: "Not in an extension.")
    public static var shared: UIApplication { fatalError() }
}
