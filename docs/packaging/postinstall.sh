#!/bin/sh
# A running server goes on with the new version; nothing is started that was not running.
set -e
if [ -d /run/systemd/system ]; then
	systemctl daemon-reload
	systemctl try-restart ayumu.service
fi
