"""choir/public_headers.txt names headers that exist, sorted, each once; a public header includes only public ones; and
choir/choir.h, the whole library in one include, is among them."""
import re
import sys

from public_headers import ROOT, listed

INCLUDE = re.compile(r'^#include "(choir/[^"]+)"', re.MULTILINE)


def main():
    headers = listed()
    complaints = []
    if headers != sorted(set(headers)):
        complaints.append("the list is not sorted, or names a header twice")
    if "choir/choir.h" not in headers:
        complaints.append("choir/choir.h is not listed")
    for header in headers:
        path = ROOT / header
        if not path.is_file():
            complaints.append(f"{header} does not exist")
            continue
        for included in INCLUDE.findall(path.read_text()):
            if included not in headers:
                complaints.append(f"{header} is public and includes {included}, which is not")
    print("\n".join(complaints))
    return 1 if complaints else 0


sys.exit(main())
