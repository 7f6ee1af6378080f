#!/bin/sh
# Stops the server when the package is removed, not when it is upgraded. Its data in /var/lib/ayumu stays, also after a
# purge: only the host deletes games.
set -e
case "${1:-remove}" in
remove | 0 | [0-9]*.*) ;; # dpkg; rpm; apk and pacman pass the version
*) exit 0 ;;
esac
if [ -d /run/systemd/system ]; then
	systemctl disable --now ayumu.service ayumu-backup.timer
fi
