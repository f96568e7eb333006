#!/bin/sh
# Verifier in sh: is the note there? `{"id": ...}` on stdin, the verdict on stdout, any exit status but 0 when in doubt.
set -u

# fourgate writes the fields as one line of JSON. Only ids of harmless characters are taken; with any other there is no answer.
id=$(sed -n 's/.*"id": *"\([A-Za-z0-9_-]\{1,64\}\)".*/\1/p')
[ -n "$id" ] || { echo "in doubt: no usable id" >&2; exit 1; }

# Without the directory nothing shows that this program looks where the server writes.
[ -d "${NOTES_DIR:-}" ] && [ -x "$NOTES_DIR" ] || { echo "in doubt: NOTES_DIR cannot be searched" >&2; exit 1; }

if [ -f "$NOTES_DIR/$id.txt" ]; then
  echo '{"status":"pass"}'
else
  echo '{"status":"fail","reason_code":"record_missing"}'
fi
