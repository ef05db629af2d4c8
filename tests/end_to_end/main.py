"""Every journey through the real window, one after the other, or those that are named:

    main.py [first_day] [tray] …

Pictures are taken on the way, in both languages and themes. It needs a screen, a session bus and a keychain;
`cargo xtask e2e` brings them.
"""
import os
import sys
import threading
import time
import traceback

from conversation import Conversation
from data_folder import DataFolder
from first_day import FirstDay
from journey import SHOTS, World, say
from tray import NoTray, Tray

JOURNEYS = {"first_day": FirstDay, "tray": Tray, "no_tray": NoTray, "conversation": Conversation, "data_folder": DataFolder}


def go(world, name):
    journey = JOURNEYS[name](world)
    begun = time.monotonic()
    say(name)
    try:
        journey.begin()
        for step in journey.STEPS:
            say(f"   {step}")
            getattr(journey, step)()
    except BaseException:
        try:
            journey.picture("failed")
            html = journey.window.script("return document.documentElement.outerHTML")
            (SHOTS / f"{name}-failed.html").write_text(html)
        except Exception:
            pass
        raise
    finally:
        journey.end()
    say(f"   {time.monotonic() - begun:.0f} s")


def main():
    unknown = [name for name in sys.argv[1:] if name not in JOURNEYS]
    if unknown:
        raise SystemExit(f"there is no journey {unknown}; there are {list(JOURNEYS)}")
    # A step that hangs ends the test with a picture of where it hung.
    threading.Timer(1500, lambda: os.kill(os.getpid(), 2)).start()
    world = World()
    try:
        world.start()
        for name in sys.argv[1:] or JOURNEYS:
            go(world, name)
    finally:
        world.end()
    say("passed")


if __name__ == "__main__":
    status = 0
    try:
        main()
    except BaseException as error:
        traceback.print_exception(error)
        status = 1
    # The servers' threads and the timer do not hold the test up.
    os._exit(status)
