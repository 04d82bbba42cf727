import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The keyboard of a terminal, key by key.
final class Keyboard {
    private let settings: termios
    /// Each key as it is pressed; ends with Ctrl-C, Ctrl-D and the end of the input.
    let characters: AsyncStream<Character>

    /// - Returns: `nil` if the standard input is no terminal.
    init?() {
        var settings = termios()
        guard isatty(STDIN_FILENO) == 1, tcgetattr(STDIN_FILENO, &settings) == 0 else { return nil }
        self.settings = settings
        // Keys without a line's end, and without an echo. Ctrl-C is a key, so that the settings are restored.
        settings.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG)
        tcsetattr(STDIN_FILENO, TCSANOW, &settings)
        let (characters, keys) = AsyncStream<Character>.makeStream()
        self.characters = characters
        // Reading blocks its thread.
        Thread.detachNewThread {
            var byte: UInt8 = 0
            while read(STDIN_FILENO, &byte, 1) == 1, byte != 3, byte != 4 {
                keys.yield(Character(UnicodeScalar(byte)))
            }
            keys.finish()
        }
    }

    /// Restores the settings of the terminal.
    func close() {
        var settings = settings
        tcsetattr(STDIN_FILENO, TCSANOW, &settings)
    }
}
