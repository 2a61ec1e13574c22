"""Remove session ids and tracking parameters from URLs."""

from __future__ import annotations

import re

__all__ = ["drop_parameters", "drop_path_session"]

TRACKING = frozenset(
    "fbclid gclid gclsrc dclid gbraid wbraid msclkid yclid ysclid twclid ttclid igshid igsh li_fat_id epik s_kwcid "
    "mc_cid mc_eid mkt_tok vero_id oly_anon_id oly_enc_id wickedid _hsenc _hsmi __hstc __hssc __hsfp hsctatracking "
    "_ga _gl _ke _openstat ml_subscriber ml_subscriber_hash rb_clickid napm n_media n_query n_rank n_ad_group n_ad "
    "n_keyword_id n_keyword n_campaign_type n_match wt.mc_id wt_mc".split()
)
SESSIONS = frozenset("jsessionid phpsessid phpsession aspsessionid oscsid zenid cftoken".split())
# These may mean something else ("sid" is a section of many newspapers): dropped only if the value looks like an id.
POSSIBLE_SESSIONS = frozenset("sid sessid sessionid session_id session-id sess s".split())
# A quick search for the start of any name above; most queries have none.
SUSPECT = re.compile(
    r"(?:^|&)(?:utm_|[fgdy]?clid|fbc|gcl|dcl|gbr|wbr|msc|ycl|ysc|twc|ttc|igsh|li_f|epik|s_k|mc_|mkt|vero|oly|wick|_|hsct"
    r"|ml_|rb_|napm|n_|wt|jses|phps|asps|oscs|zen|cft|cfi|s(?:id|ess\w*|ession-id)?=)",
    re.I,
)
SESSION_VALUE = re.compile(r"[0-9a-z,_.-]{16,}", re.I)
PATH_SESSION = re.compile(r";(?:jsessionid|phpsessid|sid)=[^;/]*", re.I)


def drop_parameters(query: str) -> str:
    """Return a query without session ids and tracking parameters; the others keep their order.

    >>> drop_parameters("utm_source=x&no=12&PHPSESSID=2c9f&sid=101")
    'no=12&sid=101'
    """
    if not SUSPECT.search(query):
        return query
    parameters = query.split("&")
    names = [parameter.partition("=")[0].lower() for parameter in parameters]
    cold_fusion = "cftoken" in names  # without it, "cfid" is not a session id
    kept = [
        parameter
        for name, parameter in zip(names, parameters, strict=True)
        if not (_is_irrelevant(name, parameter) or (cold_fusion and name == "cfid"))
    ]
    return "&".join(kept)


def _is_irrelevant(name: str, parameter: str) -> bool:
    if name in TRACKING or name in SESSIONS or name.startswith(("utm_", "aspsessionid")):
        return True
    return name in POSSIBLE_SESSIONS and _is_session_id(parameter.partition("=")[2])


def _is_session_id(value: str) -> bool:
    """Return whether a value is as long and as mixed as a session id."""
    has_both = any(char.isdigit() for char in value) and any(char.isalpha() for char in value)
    return has_both and SESSION_VALUE.fullmatch(value) is not None


def drop_path_session(path: str) -> str:
    """Return a path without session ids after a semicolon."""
    return PATH_SESSION.sub("", path) if ";" in path else path
