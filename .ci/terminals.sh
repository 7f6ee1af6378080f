# Functions of the scripts that use a server with OpenSSH under tmux. Source it from the root of the repository; it
# needs tmux and ssh. It starts a server with an empty data folder and stops it when the script ends.

work=$(mktemp -d)
socket="$work/tmux"
cleanup() {
	tmux -S "$socket" kill-server 2>/dev/null || true
	[ -z "${server:-}" ] || kill "$server" 2>/dev/null || true
	rm -rf "$work"
}
trap cleanup EXIT

go build -o "$work/ayumu" ./cmd/ayumu
"$work/ayumu" serve --listen 127.0.0.1:0 --data "$work" --host-key "$work/key" 2>"$work/log" &
server=$!
for _ in $(seq 100); do
	port=$(sed -n 's/.*listening.*addr=127\.0\.0\.1:\([0-9]*\).*/\1/p' "$work/log" | head -1)
	[ -n "$port" ] && break
	sleep 0.1
done
[ -n "$port" ] || { echo "the server does not listen"; cat "$work/log"; exit 1; }

options="-q -F /dev/null -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null -o IdentitiesOnly=yes -p $port"
guest="-o IdentityFile=none -o IdentityAgent=none" # the options of a client without a key
columns=80 rows=24                                 # of the terminals

t() { tmux -S "$socket" "$@"; }
# person NAME SSH-ARGUMENTS...: connects a client in a terminal, with the TERM of $term if it is set
person() {
	local name=$1
	shift
	t -f /dev/null new-session -d -s "$name" -x "$columns" -y "$rows" \
		"${term:+TERM=$term }ssh $options $*; sleep 1000"
}
# text NAME: writes what the client's terminal shows, without line breaks of the terminal
text() { t capture-pane -p -J -t "$1"; }
# shows NAME TEXT: tests whether the client's terminal shows the text. grep must read all input: with
# pipefail a broken pipe would count as a failure.
shows() { text "$1" | grep -F -- "$2" >/dev/null; }
# soon NAME TEXT SECONDS: waits at most so long until the client's terminal shows the text
soon() {
	local end=$((SECONDS + $3))
	until shows "$1" "$2"; do
		[ "$SECONDS" -lt "$end" ] || return 1
		sleep 0.1
	done
}
# fail MESSAGE: ends the script with the message, the step that failed and what all terminals show
fail() {
	local name
	printf '%s\n' "${step:+failed: $step: }$1"
	for name in $(t list-sessions -F '#S'); do
		printf '\n== %s\n' "$name"
		text "$name" | sed '/^ *$/d'
	done
	exit 1
}
# see NAME TEXT: waits until the client's terminal shows the text
see() { soon "$1" "$2" 60 || fail "$1 never saw: $2"; }
keys() { local name=$1; shift; t send-keys -t "$name" "$@"; }
