"""What the public cache tests leave out (http-tests/cache-tests #178 to #194), No-Vary-Search and Cache-Groups.

Each function is a row: it returns whether the cache does what the section asks for, or a number between 0 and 1.
"""

import time

from origin import Reply

LONG = "max-age=600"
DIGITS = "0123456789"
OLD = "Sun, 06 Nov 1994 08:49:37 GMT"
PARTS = Reply(200, {"Cache-Control": LONG, "ETag": '"a"', "Accept-Ranges": "bytes"}, DIGITS, parts=True)
CASES = []


def case(section, text):
    return lambda function: CASES.append((section, text, function)) or function


def first(c, **more):
    """A fresh response with a tag and a date, stored."""
    fields = {"Cache-Control": LONG, "ETag": '"a"', "Last-Modified": "@-1000", "Accept-Ranges": "bytes", **more}
    c.answers(Reply(200, fields, DIGITS))
    c.send()
    return len(c.asked) == 1


def stale(c, fields=None):
    """A response that became stale a second ago."""
    c.answers(Reply(200, {"Cache-Control": "max-age=1", "ETag": '"a"', **(fields or {})}, "old"))
    c.send()
    time.sleep(2.2)


@case("RFC 9110 §13.1.1", "If-Match goes to the origin, without the cache's own conditions")
def if_match(c):
    first(c)
    c.answers(Reply(412))
    return c.send({"If-Match": '"b"'}).status == 412 and c.asked[-1].get("If-Match") == '"b"'


@case("RFC 9110 §13.1.4", "If-Unmodified-Since goes to the origin")
def if_unmodified_since(c):
    first(c)
    c.answers(Reply(412))
    return c.send({"If-Unmodified-Since": OLD}).status == 412 and len(c.asked) == 2


@case("RFC 9110 §13.1.2", "If-None-Match: * matches a stored response")
def if_none_match_any(c):
    first(c)
    return c.send({"If-None-Match": "*"}).status == 304 and len(c.asked) == 1


def follows_if_range(c, same, other):
    """The part comes from the store; the whole may come from anywhere."""
    part = c.send({"Range": "bytes=2-4", "If-Range": same})
    asked = len(c.asked)
    return part == (206, "234") and asked == 1 and c.send({"Range": "bytes=2-4", "If-Range": other}) == (200, DIGITS)


@case("RFC 9110 §13.1.5", "If-Range with the strong tag gets the part, with another one the whole")
def if_range_tag(c):
    first(c)
    return follows_if_range(c, '"a"', '"b"')


@case("RFC 9110 §13.1.5", "If-Range with the date gets the part, with another one the whole")
def if_range_date(c):
    c.answers(Reply(200, {"Cache-Control": LONG, "Last-Modified": OLD, "Accept-Ranges": "bytes"}, DIGITS))
    c.send()
    return follows_if_range(c, OLD, "Sun, 06 Nov 1994 08:49:38 GMT")


@case("RFC 9111 §3.3", "after a request for a part, a range within it needs no request")
def range_within(c):
    c.answers(PARTS)
    return c.send({"Range": "bytes=0-4"}) == (206, "01234") and c.send({"Range": "bytes=1-2"}) == (206, "12") and (
        len(c.asked) == 1
    )


@case("RFC 9111 §3.3", "after a request for a part, a range outside of it gets its own bytes")
def range_outside(c):
    c.answers(PARTS)
    c.send({"Range": "bytes=0-4"})
    return c.send({"Range": "bytes=6-8"}) == (206, "678") and c.send() == (200, DIGITS)


@case("RFC 9110 §15.5.17", "a range beyond a stored response is a 416, and leaves it stored")
def unsatisfiable(c):
    first(c)
    answer = c.send({"Range": "bytes=20-"})
    return answer.status == 416 and c.send() == (200, DIGITS) and len(c.asked) == 1


@case("RFC 9111 §5.2.1.2", "max-stale without a number accepts a stale response")
def max_stale(c):
    stale(c)
    c.answers(Reply(200, {"Cache-Control": LONG}, "new"))
    return c.send({"Cache-Control": "max-stale"}) == (200, "old")


@case("RFC 9111 §5.2.1.2", "max-stale that is exceeded does not")
def max_stale_exceeded(c):
    stale(c)
    time.sleep(2)
    c.answers(Reply(200, {"Cache-Control": LONG}, "new"))
    return c.send({"Cache-Control": "max-stale=1"}) == (200, "new")


@case("RFC 9111 §4.2.4", "a stale response without permission is not served")
def plain_stale(c):
    stale(c)
    c.answers(Reply(200, {"Cache-Control": LONG}, "new"))
    return c.send() == (200, "new")


STATUSES = (203, 204, 206, 300, 301, 308, 404, 405, 410, 414, 451, 501)


@case("RFC 9111 §4.2.2", "share of 12 statuses with a heuristic lifetime")
def heuristics(c):
    kept, path = 0, c.path
    for status in STATUSES:
        c.path = f"{path}-{status}"
        fields = {"Last-Modified": "@-1000000", "ETag": '"a"'}
        request = {}
        if status == 206:
            request = {"Range": "bytes=0-4"}
        if status in (301, 308):
            fields["Location"] = "/elsewhere"
        own = 200 if status == 206 else status
        c.answers(Reply(own, fields, "" if status == 204 else DIGITS, parts=status == 206))
        c.send(request)
        kept += c.send(request).status == status and len(c.asked) == 1
    c.path = path
    return kept / len(STATUSES)


@case("RFC 9213 §2", "CDN-Cache-Control is ignored by a private cache and obeyed by a shared one")
def targeted(c):
    c.answers(Reply(200, {"Cache-Control": LONG, "CDN-Cache-Control": "no-store"}, "x"))
    c.send()
    c.send()
    return len(c.asked) == (1 if c.is_private else 2)


@case("RFC 9111 §5.2.2.10", "s-maxage is ignored by a private cache and obeyed by a shared one")
def shared_lifetime(c):
    c.answers(Reply(200, {"Cache-Control": "max-age=600, s-maxage=0"}, "x"))
    c.send()
    c.send()
    return len(c.asked) == (1 if c.is_private else 2)


@case("RFC 9111 §4.3.3", "a whole response replaces the stale one")
def replaced(c):
    stale(c)
    c.answers(Reply(200, {"Cache-Control": LONG, "ETag": '"b"'}, "new"))
    c.send()
    time.sleep(0.5)
    return c.send() == (200, "new")


@case("RFC 9111 §4.3.1", "a stale response is revalidated with its tag, and fresh after the 304")
def revalidated(c):
    stale(c)
    c.answers(Reply(304, {"Cache-Control": LONG, "ETag": '"a"'}))
    c.send()
    time.sleep(0.5)
    asked = len(c.asked)
    return c.asked[-1].get("If-None-Match") == '"a"' and c.send() == (200, "old") and len(c.asked) == asked


@case("RFC 9111 §4.3.4", "a 304 with a tag that was never sent confirms nothing")
def strange_confirmation(c):
    stale(c)
    c.answers(Reply(304, {"ETag": '"z"', "Cache-Control": LONG}), Reply(200, {"Cache-Control": LONG}, "new"))
    c.send()
    time.sleep(0.5)
    return c.send() == (200, "new")


@case("RFC 9111 §4.1", "hit ratio of 64 values of Accept in turn, after the first round")
def variants(c):
    c.answers(Reply(200, {"Cache-Control": LONG, "Vary": "Accept"}, "x"))
    values = [f"image/x-{number}" for number in range(64)]
    for value in values:
        c.send({"Accept": value})
    asked = len(c.asked)
    for value in values * 2:
        c.send({"Accept": value})
    return 1 - (len(c.asked) - asked) / (2 * len(values))


@case("No-Vary-Search (draft)", "hit ratio of 50 URLs that differ in utm_source, after the first")
def tracking(c):
    fields = {"Cache-Control": LONG, "No-Vary-Search": 'params=("utm_source" "utm_medium")'}
    c.answers(Reply(200, fields, "x"))
    c.send(query="?id=1&utm_source=0&utm_medium=mail")
    for number in range(1, 51):
        c.send(query=f"?id=1&utm_source={number}&utm_medium=mail")
    return 1 - (len(c.asked) - 1) / 50


@case("RFC 9875 §3", "Cache-Group-Invalidation of a POST invalidates the group at other URLs")
def groups(c):
    path = c.path
    c.answers(Reply(200, {"Cache-Control": LONG, "Cache-Groups": f'"{path}"'}, "x"))
    c.send()
    c.path = path + "-form"
    c.answers(Reply(200, {"Cache-Group-Invalidation": f'"{path}"'}, "done"))
    c.send(method="POST", body="x")
    c.path = path
    c.answers(Reply(200, {"Cache-Control": LONG}, "new"))
    return c.send() == (200, "new")
