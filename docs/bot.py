#!/usr/bin/env python3
"""A bot in a few lines: it takes every challenge and lets an engine choose its turns.

    bot.py "ssh -p 2222 localhost api" "ayumu engine"

The first argument opens the JSON interface with your own SSH key, the second is any engine that
speaks the Go Text Protocol as `ayumu engine` does.
"""
import json
import shlex
import subprocess
import sys


def start(command):
    return subprocess.Popen(shlex.split(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)


server, engine = start(sys.argv[1]), start(sys.argv[2])


def send(**request):
    server.stdin.write(json.dumps({"id": 1, **request}) + "\n")


def ask(command):
    """Gives the engine a command and returns the lines of its answer; none if it refuses."""
    engine.stdin.write(command + "\n")
    answer = []
    while line := engine.stdout.readline().rstrip("\n"):
        answer.append(line)
    return [answer[0][2:]] + answer[1:] if answer[0].startswith("=") else []


def turn(state):
    """Chooses a whole turn from a position; None where there is none, since the game is over."""
    if state["game"] == "ayu":
        ask("setposition " + state["position"])
        return ask("genmove")
    phase = state["position"].split("|")[0]
    if phase != "play":
        return None  # laying out needs the history; this example plays Ayu
    ask(f"setposition {len(state['seats'])} {';'.join(state['centres'])} {state['position']}")
    actions = []
    while not actions or actions[-1] != "end":
        chosen = ask("genmove")
        if not chosen:
            return None
        actions += chosen
    return actions


ask("newgame ayu 11 nopie")
matches = {}
for line in server.stdout:
    event = json.loads(line)
    kind = event.get("event")
    if kind == "table" and "to" in event:
        send(op="join", table=event["table"])
    elif kind == "match":
        matches[event["match"]] = event
    elif kind == "turn" and event["match"] in matches:
        matches[event["match"]].update(event)
    elif kind == "over":
        matches.pop(event["match"], None)
    if kind in ("match", "turn"):
        state = matches.get(event["match"])
        if state and not state.get("over") and state["turn"] == state["you"] and (actions := turn(state)):
            send(op="act", match=state["match"], version=state["version"], actions=actions)
