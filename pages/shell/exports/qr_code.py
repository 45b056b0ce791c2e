"""QR codes of links, as pictures."""

import io

import segno

# Bytes in version 40 at level L: ISO/IEC 18004, table 7.
MOST = 2953


def picture(link: bytes) -> bytes:
    """A QR code, black on white in every theme, with its quiet zone of four modules (ISO/IEC 18004, 6.3.8).

    As few modules as the link needs, for on a wall size is what carries and nothing is dirty; where these leave room,
    it goes into error correction.
    """
    code = segno.make(link, error="l", boost_error=True, micro=False, mode="byte")
    out = io.BytesIO()
    code.save(out, kind="svg", border=4, dark="#000", light="#fff", omitsize=True, xmldecl=False)
    return out.getvalue()
