#!/bin/sh
# Any other CI: runs the scan, keeps the reports in ./fourgate-reports, and tells failure (1) from doubt (3) and bad configuration (2).
set -eu

here=$(cd "$(dirname "$0")" && pwd)
: "${TICKET_FOLDER:=$(mktemp -d)}"
: "${TICKET_STORE:=$TICKET_FOLDER/tickets.jsonl}"
: "${TICKET_VARIANT:=healthy}"
export TICKET_FOLDER TICKET_STORE TICKET_VARIANT

status=0
node "$here/../../dist/main.cjs" scan "$here/scan.jsonc" \
  --confirm-test-account throw-away-tickets \
  --report-dir fourgate-reports --reporter junit --reporter text \
  --unknown-exit-code 3 || status=$?

case $status in
  0) echo "Every case is as expected." ;;
  1) echo "A tool did not do what it said; see fourgate-reports/fourgate-report.html" >&2 ;;
  2) echo "The scan could not be started." >&2 ;;
  3) echo "Some cases could not be decided; this may be worth another run." >&2 ;;
esac
exit "$status"
