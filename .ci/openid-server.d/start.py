"""Runs Glewlwyd, an OpenID server of Debian, on loopback, with one client and one person.

Usage: start.py FOLDER ROOT     FOLDER for its files, ROOT for its package, unpacked or installed

It prints the issuer and the port of the client's redirect once it answers. The client is `signin` with the secret
`of-the-tool`; the person is `ada` with the password `analytical`. All of it is for tests: the server is reached from this
machine alone.
"""
import gzip
import json
import os
import signal
import socket
import sqlite3
import subprocess
import sys
import time
import urllib.error
import urllib.request

folder, root = sys.argv[1], sys.argv[2].rstrip("/")
with socket.socket() as first, socket.socket() as second:
    for each in (first, second):
        each.bind(("127.0.0.1", 0))
    port, client_port = first.getsockname()[1], second.getsockname()[1]
base = f"http://localhost:{port}"
modules = f"{root}/usr/lib/glewlwyd"
redirect = f"http://127.0.0.1:{client_port}/callback"
types = {".html": "text/html", ".css": "text/css", ".js": "application/javascript", ".json": "application/json"}
mime = ", ".join(f'{{ extension = "{name}" mime_type = "{type}" compress = 0 }}' for name, type in types.items())

os.makedirs(folder, exist_ok=True)
with sqlite3.connect(f"{folder}/glewlwyd.db") as database:
    with gzip.open(f"{root}/usr/share/doc/glewlwyd/database/init.sqlite3.sql.gz", "rt") as script:
        database.executescript(script.read())
with open(f"{folder}/glewlwyd.conf", "w") as configuration:
    configuration.write(f"""
port={port}
bind_address="127.0.0.1"
external_url="{base}"
login_url="login.html"
api_prefix="api"
static_files_path="{root}/usr/share/glewlwyd/webapp/"
static_files_mime_types=({mime})
log_mode="console"
log_level="WARNING"
cookie_domain="localhost"
cookie_secure=0
session_key="GLEWLWYD2_SESSION_ID"
session_expiration=86400
admin_scope="g_admin"
profile_scope="g_profile"
user_module_path="{modules}/user"
user_middleware_module_path="{modules}/user_middleware"
client_module_path="{modules}/client"
user_auth_scheme_module_path="{modules}/scheme"
plugin_module_path="{modules}/plugin"
hash_algorithm="SHA512"
database={{ type="sqlite3" path="{folder}/glewlwyd.db" }};
""")


def openssl(*words, text=None):
    return subprocess.run(["openssl", *words], input=text, capture_output=True, text=True, check=True).stdout


key = openssl("genrsa", "2048")
public = openssl("rsa", "-pubout", text=key)
# So that the server ends with this program.
signal.signal(signal.SIGTERM, lambda *_: sys.exit())
server = subprocess.Popen([f"{root}/usr/bin/glewlwyd", f"--config-file={folder}/glewlwyd.conf"])
cookie = ""


def call(path, body):
    request = urllib.request.Request(
        f"{base}/api/{path}", json.dumps(body).encode(), {"Content-Type": "application/json", "Cookie": cookie})
    try:
        return urllib.request.urlopen(request, timeout=30)
    except urllib.error.HTTPError as error:
        sys.exit(f"{path}: {error.code} {error.read()}")


try:
    for _ in range(6000):
        try:
            urllib.request.urlopen(f"{base}/config", timeout=30)
            break
        except OSError:
            time.sleep(0.1)
        if server.poll() is not None:
            sys.exit("The server has ended before it answered.")
    # The administrator of a new database.
    cookie = call("auth/", {"username": "admin", "password": "password"}).headers["Set-Cookie"].split(";")[0]
    call("mod/plugin/", {"module": "oidc", "name": "oidc", "display_name": "OpenID Connect", "parameters": {
        "iss": f"{base}/api/oidc", "jwt-type": "rsa", "jwt-key-size": "256", "key": key, "cert": public,
        "access-token-duration": 300, "refresh-token-duration": 3600, "code-duration": 60,
        "refresh-token-rolling": True, "refresh-token-one-use": "always", "allow-non-oidc": False,
        "auth-type-code-enabled": True, "auth-type-token-enabled": False, "auth-type-id-token-enabled": True,
        "auth-type-none-enabled": False, "auth-type-password-enabled": False, "auth-type-client-enabled": False,
        "auth-type-device-enabled": True, "auth-type-refresh-enabled": True, "scope": [],
        "allowed-scope": ["openid", "email"], "pkce-allowed": True, "pkce-required": True,
        "pkce-method-plain-allowed": False, "introspection-revocation-allowed": True,
        "introspection-revocation-allow-target-client": True, "device-authorization-expiration": 600,
        "device-authorization-interval": 1, "subject-type": "public", "oauth-dpop-allowed": True,
        "oauth-dpop-iat-duration": 60, "name-claim": "mandatory", "email-claim": "mandatory",
        "session-management-allowed": True, "session-cookie-name": "OIDC_SID", "session-cookie-expiration": 3600}})
    call("scope/", {
        "name": "email", "display_name": "email", "description": "The e-mail address", "password_required": True,
        "scheme": {}})
    call("client/", {
        "client_id": "signin", "name": "signin", "confidential": True, "client_secret": "of-the-tool",
        "enabled": True, "scope": ["openid", "email"], "redirect_uri": [redirect],
        "authorization_type": ["code", "refresh_token", "device_authorization", "id_token"],
        "token_endpoint_auth_method": ["client_secret_basic"], "post_logout_redirect_uri": redirect})
    call("user/", {
        "username": "ada", "name": "Ada", "email": "ada@example.com", "enabled": True, "password": "analytical",
        "scope": ["openid", "email", "g_profile"]})
    print(f"{base}/api/oidc {client_port}", flush=True)
    server.wait()
finally:
    server.kill()
