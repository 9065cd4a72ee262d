"""OpenID Connect: staff who have accounts elsewhere log in there, by a code with PKCE.

1. `begin` gives the address at the provider, with a state that the browser must bring back, a nonce that the token must
   name, and the digest of a secret that the code is redeemed with. What is begun is kept for `LASTS` seconds.
2. `redeem` exchanges the code and checks the token: a signature by a key that the provider publishes, with an algorithm
   of `ALGORITHMS` and no other; issuer, audience, times and nonce. One claim gives the staff number. The role comes
   from the roster, never from a claim.
3. The provider is talked to over HTTPS, on this computer also without. Its addresses are read when they are first
   needed, its keys for each token.
4. Tokens are checked by joserfc, because the JOSE library of Authlib's author is well kept and takes only what it is
   told to; the rest of the flow is two requests. It is loaded when the first token comes: it brings much with it.
"""

from __future__ import annotations

import base64
import hashlib
import json
import secrets
import time
import urllib.error
import urllib.request
from dataclasses import dataclass, field
from typing import Any, NamedTuple
from urllib.parse import urlencode, urlsplit

from firmware_bridge.console.settings import Address

ALGORITHMS = ["RS256", "ES256", "PS256"]
LASTS, PATIENCE, MOST, LEEWAY = 600.0, 10.0, 1024, 30
_LONGEST = 256 * 1024


class OpenIdError(Exception):
    """Somebody could not be logged in by their account; the message says why."""


@dataclass(frozen=True, slots=True)
class Provider:
    """Where accounts are: the issuer, our name and secret there, and the claim that has the staff number."""

    issuer: str
    client: str
    secret: str = field(default="", repr=False)
    claim: str = "staff_number"


class _Begun(NamedTuple):
    nonce: str
    verifier: str
    back: str
    at: float


class OpenId:
    """The logins by one provider."""

    def __init__(self, provider: Provider) -> None:
        """Nothing is asked yet."""
        self._provider = provider
        self._begun: dict[str, _Begun] = {}
        self._addresses: dict[str, Any] = {}

    def begin(self, back: str) -> tuple[str, str]:
        """Begin a login; returns the address at the provider, and the state.

        Raises:
            OpenIdError: the provider cannot be asked.
        """
        now = time.monotonic()
        self._begun = {state: one for state, one in self._begun.items() if now - one.at < LASTS}
        if len(self._begun) >= MOST:
            del self._begun[next(iter(self._begun))]
        state, nonce, verifier = (secrets.token_urlsafe(32) for _ in range(3))
        self._begun[state] = _Begun(nonce, verifier, back, now)
        challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).decode().rstrip("=")
        asked = {
            "response_type": "code",
            "client_id": self._provider.client,
            "redirect_uri": back,
            "scope": "openid",
            "state": state,
            "nonce": nonce,
            "code_challenge": challenge,
            "code_challenge_method": "S256",
        }
        return f"{self._address('authorization_endpoint')}?{urlencode(asked)}", state

    def redeem(self, state: str, code: str) -> str:
        """Redeem a code; returns the staff number.

        Raises:
            OpenIdError: it is not to be believed.
        """
        begun = self._begun.pop(state, None)
        if begun is None or time.monotonic() - begun.at > LASTS:
            raise OpenIdError("this login was not begun here, or too long ago")
        provider = self._provider
        said = {"grant_type": "authorization_code", "code": code, "redirect_uri": begun.back}
        said |= {"client_id": provider.client, "code_verifier": begun.verifier}
        said |= {"client_secret": provider.secret} if provider.secret else {}
        answer = _fetch(self._address("token_endpoint"), urlencode(said).encode())
        claims = self._claims(str(answer.get("id_token", "")), begun.nonce)
        number = claims.get(provider.claim)
        if not isinstance(number, str) or not number:
            raise OpenIdError(f"the account names no {provider.claim}")
        return number

    def _claims(self, token: str, nonce: str) -> dict[str, Any]:
        from joserfc import jwt  # noqa: PLC0415  only when it is wanted
        from joserfc.errors import JoseError  # noqa: PLC0415
        from joserfc.jwk import KeySet  # noqa: PLC0415

        keys = KeySet.import_key_set(_fetch(self._address("jwks_uri")))  # type: ignore[arg-type]  # checked by it
        try:
            claims = jwt.decode(token, keys, algorithms=ALGORITHMS).claims
            wanted = jwt.JWTClaimsRegistry(
                leeway=LEEWAY,
                iss={"essential": True, "value": self._provider.issuer},
                aud={"essential": True, "value": self._provider.client},
                exp={"essential": True},
                iat={"essential": True},
                nonce={"essential": True, "value": nonce},
            )
            wanted.validate(claims)
        except (JoseError, ValueError, TypeError) as error:
            raise OpenIdError(f"the token is not to be believed: {error}") from error
        if isinstance(claims["aud"], list) and len(claims["aud"]) > 1:
            raise OpenIdError("the token is not to be believed: it is for others too")
        return dict(claims)

    def _address(self, name: str) -> str:
        if not self._addresses:
            found = _fetch(f"{self._provider.issuer.rstrip('/')}/.well-known/openid-configuration")
            if found.get("issuer") != self._provider.issuer:
                raise OpenIdError("the provider calls itself otherwise")
            self._addresses = found
        return str(self._addresses.get(name, ""))


def _fetch(address: str, body: bytes | None = None) -> dict[str, Any]:
    parts = urlsplit(address)
    if parts.scheme != "https" and not (parts.scheme == "http" and Address(parts.hostname or "").loopback):
        raise OpenIdError(f"{address}: expected https")
    request = urllib.request.Request(address, body, {"Accept": "application/json"})  # noqa: S310  checked above
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:  # noqa: S310
            found = json.loads(answer.read(_LONGEST))
    except (OSError, urllib.error.URLError, ValueError, RecursionError) as error:
        raise OpenIdError(f"the provider does not answer: {error}") from error
    if not isinstance(found, dict):
        raise OpenIdError("the provider answers nothing that can be read")
    return found
