#if os(Linux)
    import AuthStreams
    import Foundation

    /// A tab of ``Chromium``.
    @MainActor
    struct ChromiumPage {
        let devTools: DevTools
        let session: String

        /// Loads an address, as if it had been typed. Returns when its page has replaced the present one.
        func load(_ url: URL) async throws {
            _ = try await devTools.call("Page.navigate", ["url": .string(url.absoluteString)], in: session)
        }

        /// Lets ``DevTools/errors`` have what the page reports from then on.
        func reportErrors() async throws {
            for method in ["Log.enable", "Runtime.enable"] { _ = try await devTools.call(method, in: session) }
        }

        /// Emulates the focus, so that each page has it from the start.
        func emulateFocus() async throws {
            _ = try await devTools.call("Emulation.setFocusEmulationEnabled", ["enabled": .bool(true)], in: session)
        }

        /// Gives the window a width, in CSS pixels.
        func use(width: Int) async throws {
            let metrics: [String: AuthJSON] = [
                "width": .integer(Int64(width)), "height": 800, "deviceScaleFactor": 1, "mobile": .bool(false),
            ]
            _ = try await devTools.call("Emulation.setDeviceMetricsOverride", metrics, in: session)
        }

        /// Lets the person prefer a colour scheme: `light` or `dark`.
        func use(scheme: String) async throws {
            let feature: AuthJSON = ["name": "prefers-color-scheme", "value": .string(scheme)]
            _ = try await devTools.call("Emulation.setEmulatedMedia", ["features": [feature]], in: session)
        }

        /// Waits for a page that shows a text.
        ///
        /// - Returns: The address of the page.
        @discardableResult
        func waitFor(_ text: String) async throws -> URL {
            return try await Chromium.retry {
                let shown = try await value(of: "document.body.innerText")?.string ?? ""
                guard shown.contains(text), let address = try await value(of: "location.href")?.string else {
                    return nil
                }
                return URL(string: address)
            }
        }

        /// Presses the mouse on the first element that a CSS selector finds.
        func click(_ selector: String) async throws {
            let place = """
                (element => {
                    if (!element) return null;
                    element.scrollIntoView();
                    const frame = element.getBoundingClientRect();
                    return { x: frame.x + frame.width / 2, y: frame.y + frame.height / 2 };
                })(document.querySelector('\(selector)'))
                """
            let point = try await Chromium.retry {
                try await value(of: place)?.object
            }
            for type in ["mousePressed", "mouseReleased"] {
                let press: [String: AuthJSON] = [
                    "type": .string(type), "button": .string("left"), "clickCount": .integer(1),
                ]
                _ = try await devTools.call("Input.dispatchMouseEvent", press.merging(point) { $1 }, in: session)
            }
        }

        /// Presses and releases a key, such as `Tab`, `Enter` or `ArrowDown`.
        func press(_ key: String) async throws {
            let codes: [String: Int64] = ["Tab": 9, "Enter": 13, " ": 32, "ArrowDown": 40]
            var event: [String: AuthJSON] = [
                "key": .string(key), "code": .string(key == " " ? "Space" : key),
                "windowsVirtualKeyCode": .integer(codes[key] ?? 0),
            ]
            if key == "Enter" || key == " " { event["text"] = .string(key == " " ? " " : "\r") }
            for type in ["keyDown", "keyUp"] {
                event["type"] = .string(type)
                _ = try await devTools.call("Input.dispatchKeyEvent", event, in: session)
                event["text"] = nil
            }
        }

        /// Repeats a script until its value is not null.
        func result(of script: String) async throws -> AuthJSON {
            try await Chromium.retry {
                let value = try await value(of: script)
                return value == .null ? nil : value
            }
        }

        /// The value of a script; `nil` while the page loads.
        private func value(of script: String) async throws -> AuthJSON? {
            let parameters: [String: AuthJSON] = [
                "expression": .string("document.readyState == 'complete' ? \(script) : null"),
                "returnByValue": .bool(true),
            ]
            do {
                return try await devTools.call("Runtime.evaluate", parameters, in: session)["result"]?["value"]
            } catch DevTools.Failure.refused {
                // One page has gone, and the next one is not there yet.
                return nil
            }
        }
    }
#endif
