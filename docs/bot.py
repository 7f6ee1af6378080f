#!/usr/bin/env python3
"""A bot in a few lines: it takes every challenge to Ayu and Mu and lets an engine choose its turns.

    bot.py "ssh -p 2222 localhost api" "ayumu engine"

The first argument opens the JSON interface with your own SSH key, the second is any engine that
speaks the Go Text Protocol as `ayumu engine` does. In Mu the engine begins once the board is laid;
until then any legal action will do.
"""
import json
import random
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
    """Chooses a whole turn from a position; none where the engine refuses it."""
    if state["game"] == "ayu":
        ask("setposition " + state["position"])
        return ask("genmove")
    ask(f"setposition {len(state['seats'])} {';'.join(state['centres'])} {state['position']}")
    actions = []
    while not actions or actions[-1] != "end":
        chosen = ask("genmove")
        if not chosen:
            return []
        actions += chosen
    return actions


def act(match, version, actions):
    send(op="act", match=match, version=version, actions=actions)


ask("newgame ayu 11 nopie")
matches = {}
for line in server.stdout:
    event = json.loads(line)
    kind = event.get("event")
    if kind == "table" and "to" in event:
        send(op="join" if event["game"] in ("ayu", "mu") else "decline", table=event["table"])
    elif kind == "match":
        matches[event["match"]] = event
    elif kind == "turn" and event["match"] in matches:
        state = matches[event["match"]]
        state.update(event)
        if state["game"] == "mu":  # the engine wants to know how the board was laid
            state["centres"] += [a.removeprefix("place ") for a in event["actions"] if a.startswith("place ")]
    elif kind == "over":
        matches.pop(event["match"], None)
    elif event.get("legal"):  # the answer to op legal, whose id is the match
        act(event["re"], event["version"], [random.choice(event["legal"])])
    if kind in ("match", "turn"):
        state = matches.get(event["match"])
        if not state or state.get("over") or state["turn"] != state.get("you"):
            continue
        if state["game"] == "mu" and not state["position"].startswith("play|"):
            send(op="legal", id=state["match"], match=state["match"])
        elif actions := turn(state):
            act(state["match"], state["version"], actions)
