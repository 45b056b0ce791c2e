"""QR codes of links, as pictures."""

import io

import segno

# Bytes in version 40 at level L: ISO/IEC 18004, table 7.
MOST = 2953


def picture(link: bytes) -> bytes:
    """A QR code, black on white in every theme, with its quiet zone of four modules (ISO/IEC 18004, 6.3.8).

    It has as few modules as the link allows, because on a wall their size decides and nothing is dirty; spare room goes
    into error correction.
    """
    code = segno.make(link, error="l", boost_error=True, micro=False, mode="byte")
    out = io.BytesIO()
    code.save(out, kind="svg", border=4, dark="#000", light="#fff", omitsize=True, xmldecl=False)
    return out.getvalue()
