"""A window of another program with one file to drag: the other end of a real XDND drag.

usage: drag_source.py FILE   (prints "ready" once it is on the screen)
"""
import pathlib
import sys

import gi

gi.require_version("Gdk", "3.0")
gi.require_version("Gtk", "3.0")
from gi.repository import Gdk, GLib, Gtk  # noqa: E402

uri = pathlib.Path(sys.argv[1]).resolve().as_uri()
window = Gtk.Window(title="drag source")
window.set_default_size(160, 60)
box = Gtk.EventBox()
box.add(Gtk.Label(label="drag me"))
box.drag_source_set(Gdk.ModifierType.BUTTON1_MASK, [], Gdk.DragAction.COPY)
box.drag_source_add_uri_targets()
box.connect("drag-data-get", lambda _w, _c, data, _i, _t: data.set_uris([uri]))
window.add(box)
window.connect("destroy", Gtk.main_quit)
window.connect("map-event", lambda *_: print("ready", flush=True))
window.set_keep_above(True)
window.show_all()
window.move(1100, 720)
GLib.timeout_add_seconds(600, Gtk.main_quit)
Gtk.main()
