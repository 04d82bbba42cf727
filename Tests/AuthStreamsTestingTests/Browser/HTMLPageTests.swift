import Testing

@testable import AuthStreamsTesting

@Suite struct HTMLPageTests {
    @Test func consentPageIsReadWithItsFieldsRadiosAndButtons() throws {
        let page = HTMLPage(
            """
            <!DOCTYPE html><!-- <form action="/wrong"> --><html><head><title>Sign in &amp;
               agree</title></head><body>
            <FORM Action='/consent?a=1&amp;b=2' METHOD=Post>
              <input type=hidden name="ticket" value="a&quot;b&#39;c&#x20AC;">
              <input type="radio" name="user" value="1001"><input type="radio" name="user" value="1002" checked/>
              <input type="checkbox" name="scope" value="email" checked><input type="checkbox" name="news">
              <button name="action" value="approve">Yes, <b>allow</b></button>
              <input type="submit" name="action" value="deny">
              <button type="button" name="action" value="help">?</button>
              <input name="gone" value="1" disabled>
            </FORM></body></html>
            """)
        #expect(page.title == "Sign in & agree")
        let form = try #require(page.forms.first)
        #expect(page.forms.count == 1)
        #expect(form.action == "/consent?a=1&b=2")
        #expect(form.isPost)
        #expect(form.buttons.map(\.value) == ["approve", "deny"])
        #expect(form.buttons.first?.label == "Yes, allow")
        let fields = try #require(form.fields(pressing: form.buttons[0], choosing: "1001"))
        #expect(
            fields.map { "\($0.name)=\($0.value)" } == ["ticket=a\"b'c€", "user=1001", "scope=email", "action=approve"])
        #expect(form.fields(pressing: nil, choosing: nil)?.contains { $0 == ("user", "1002") } == true)
        #expect(form.fields(pressing: nil, choosing: "9") == nil)
    }

    @Test func listSendsOneOfItsOptions() throws {
        let page = HTMLPage("<form><select name=u><option value=1>A<option value=2>B</select></form>")
        let form = try #require(page.forms.first)
        #expect(form.fields(pressing: nil, choosing: "2")?.map(\.value) == ["2"])
        #expect(form.fields(pressing: nil, choosing: nil)?.map(\.value) == ["1"])
    }

    @Test(arguments: [
        "<body onload=\"document.forms[0].submit()\"><form></form>",
        "<form></form><script>if (1 < 2) { document.forms[0].submit() }</script>",
    ])
    func pageThatSubmitsItselfIsRecognized(html: String) {
        #expect(HTMLPage(html).submitsItself)
        #expect(HTMLPage(html).forms.count == 1)
    }

    @Test(arguments: [
        "", "<", "<<<", "<form", "<form action", "<form action=", "<form action=\"x", "</", "<!--", "<!",
        "&#xD800;&#;&",
        "<script>", "<title>", "<a b='", "<form><button", "\u{0}<\u{FFFD}>",
    ])
    func brokenPagesAreReadToTheirEnd(html: String) {
        #expect(HTMLPage(html).submitsItself == false)
    }

    @Test func unknownReferencesStayAsTheyAre() {
        #expect(HTMLEntities.decode("a&b &copy; &#0x; &amp;lt;") == "a&b &copy; &#0x; &lt;")
    }
}
