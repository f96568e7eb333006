"""Verifier in Python: is the note there, with its text? Fields on stdin, the verdict on stdout, any exit status but 0 when in doubt."""

import json
import os
import re
import sys
from pathlib import Path

fields = json.load(sys.stdin)
notes = Path(os.environ["NOTES_DIR"])
if not re.fullmatch(r"[A-Za-z0-9_-]{1,64}", fields["id"]):
    sys.exit("in doubt: no usable id")
if not notes.is_dir():
    sys.exit("in doubt: NOTES_DIR is no directory")

try:
    stored = (notes / f"{fields['id']}.txt").read_bytes().decode("utf-8")
    answer = {"status": "pass"} if stored == fields["text"] else {"status": "fail", "reason_code": "field_mismatch"}
except FileNotFoundError:
    # Only "there is no such file" proves anything; every other error ends the program and makes the check UNKNOWN.
    answer = {"status": "fail", "reason_code": "record_missing"}
print(json.dumps(answer))
