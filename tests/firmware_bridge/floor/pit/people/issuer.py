"""A provider of accounts on loopback, as a process: ``python -m tests.firmware_bridge.floor.pit.people.issuer PORT``.

1. It is an OpenID provider with one client: a code with PKCE, a token signed with RS256, its key published. Anyone who
   comes is logged in at once as the account that ``/bend?number=…`` has named last.
2. ``/bend?how=…`` makes the next tokens wrong in one way: another audience, nonce, key or issuer, a time that is over,
   no signature (``alg: none``), or a second audience.
"""

from __future__ import annotations

import base64
import hashlib
import json
import sys
import time
from typing import Any
from urllib.parse import parse_qsl, urlencode

import uvicorn
from joserfc import jwt
from joserfc.jwk import RSAKey
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

CLIENT, SECRET = "truedeal", "a secret of the client"
WAYS = ("audience", "audiences", "nonce", "key", "issuer", "expired", "none", "claim")
HOUR = 3600


class Issuer:
    """The provider."""

    def __init__(self, port: int) -> None:
        self._issuer = f"http://127.0.0.1:{port}"
        self._key, self._other = (RSAKey.generate_key(2048, {"kid": kid}, private=True) for kid in ("one", "one"))
        self._codes: dict[str, dict[str, str]] = {}
        self._how, self._number = "", ""
        self._count = 0

    def app(self) -> Starlette:
        """The application."""
        paths = {
            "/.well-known/openid-configuration": self._configuration,
            "/authorize": self._authorize,
            "/keys": self._keys,
            "/bend": self._bend,
        }
        routes = [Route(path, answer, methods=["GET"]) for path, answer in paths.items()]
        return Starlette(routes=[*routes, Route("/token", self._token, methods=["POST"])])

    async def _configuration(self, _: Request) -> Response:
        addresses = {"authorization_endpoint": "authorize", "token_endpoint": "token", "jwks_uri": "keys"}
        told = {name: f"{self._issuer}/{path}" for name, path in addresses.items()}
        return JSONResponse({"issuer": self._issuer, **told})

    async def _keys(self, _: Request) -> Response:
        return JSONResponse({"keys": [self._key.as_dict(private=False)]})

    async def _bend(self, request: Request) -> Response:
        self._how = request.query_params.get("how", "")
        self._number = request.query_params.get("number", self._number)
        return JSONResponse({})

    async def _authorize(self, request: Request) -> Response:
        asked = dict(request.query_params)
        assert ("code", CLIENT, "S256") == tuple(
            asked[name] for name in ("response_type", "client_id", "code_challenge_method")
        )
        self._count += 1
        code = f"code-{self._count}"
        self._codes[code] = asked
        said = urlencode({"code": code, "state": asked["state"]})
        return RedirectResponse(f"{asked['redirect_uri']}?{said}", 302)

    async def _token(self, request: Request) -> Response:
        said = dict(parse_qsl((await request.body()).decode()))
        asked = self._codes.pop(str(said["code"]), None)
        digest = hashlib.sha256(str(said["code_verifier"]).encode()).digest()
        challenge = base64.urlsafe_b64encode(digest).decode().rstrip("=")
        if asked is None or challenge != asked["code_challenge"] or said["client_secret"] != SECRET:
            return JSONResponse({"error": "invalid_grant"}, 400)
        if said["redirect_uri"] != asked["redirect_uri"]:
            return JSONResponse({"error": "invalid_grant"}, 400)
        return JSONResponse({"token_type": "Bearer", "access_token": "x", "id_token": self._signed(asked["nonce"])})

    def _signed(self, nonce: str) -> str:
        now, how = int(time.time()), self._how
        claims: dict[str, Any] = {"iss": self._issuer, "aud": CLIENT, "sub": "1", "iat": now, "exp": now + HOUR}
        claims |= {"nonce": nonce, "staff_number": self._number, "role": "shift-manager"}
        bent: dict[str, dict[str, Any]] = {
            "audience": {"aud": "another"},
            "audiences": {"aud": [CLIENT, "another"]},
            "nonce": {"nonce": "another"},
            "issuer": {"iss": "http://127.0.0.1:1"},
            "expired": {"iat": now - 2 * HOUR, "exp": now - HOUR},
            "claim": {"staff_number": 12},
        }
        claims |= bent.get(how, {})
        if how == "none":
            parts = (json.dumps(part).encode() for part in ({"alg": "none"}, claims))
            return ".".join(base64.urlsafe_b64encode(part).decode().rstrip("=") for part in parts) + "."
        return jwt.encode({"alg": "RS256", "kid": "one"}, claims, self._other if how == "key" else self._key)


if __name__ == "__main__":
    number = int(sys.argv[1])
    uvicorn.run(Issuer(number).app(), host="127.0.0.1", port=number, log_level="warning")
