"""A desktop's own services, as small as the test needs, on the session bus: a tray
(org.kde.StatusNotifierWatcher, reading each item's com.canonical.dbusmenu) and a notification server
(org.freedesktop.Notifications).

usage: desktop_services.py [tray] [notifications]   (prints "ready" once the names are owned)

Each line on standard input asks, one line of JSON on standard output answers:
    items            the items that registered, with their properties
    menu             the first item's menu: id, label, type, toggle, enabled
    press ID         presses an entry
    notifications    what was shown so far
"""
import json
import sys

import gi

gi.require_version("Gio", "2.0")
from gi.repository import Gio, GLib  # noqa: E402

WATCHER = """<node><interface name="org.kde.StatusNotifierWatcher">
  <method name="RegisterStatusNotifierItem"><arg type="s" direction="in"/></method>
  <method name="RegisterStatusNotifierHost"><arg type="s" direction="in"/></method>
  <property name="RegisteredStatusNotifierItems" type="as" access="read"/>
  <property name="IsStatusNotifierHostRegistered" type="b" access="read"/>
  <property name="ProtocolVersion" type="i" access="read"/>
</interface></node>"""
NOTIFICATIONS = """<node><interface name="org.freedesktop.Notifications">
  <method name="GetCapabilities"><arg type="as" direction="out"/></method>
  <method name="GetServerInformation"><arg type="s" direction="out"/><arg type="s" direction="out"/>
    <arg type="s" direction="out"/><arg type="s" direction="out"/></method>
  <method name="CloseNotification"><arg type="u" direction="in"/></method>
  <method name="Notify"><arg type="s" direction="in"/><arg type="u" direction="in"/><arg type="s" direction="in"/>
    <arg type="s" direction="in"/><arg type="s" direction="in"/><arg type="as" direction="in"/>
    <arg type="a{sv}" direction="in"/><arg type="i" direction="in"/><arg type="u" direction="out"/></method>
</interface></node>"""

bus = Gio.bus_get_sync(Gio.BusType.SESSION)
loop = GLib.MainLoop()
items, shown = [], []


def own(name, path, xml, call, read=None):
    """Serves the interface before the name is there, so that nobody finds the name without it."""
    interface = Gio.DBusNodeInfo.new_for_xml(xml).interfaces[0]
    bus.register_object(path, interface, call, read, None)
    answer = bus.call_sync("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "RequestName",
                           GLib.Variant("(su)", (name, 4)), None, 0, -1).unpack()[0]
    if answer != 1:
        sys.exit(f"somebody else owns {name}")


def watcher_call(_bus, sender, _path, _interface, method, arguments, invocation):
    if method == "RegisterStatusNotifierItem":
        word = arguments.unpack()[0]
        # Ayatana's library gives a path, others a bus name.
        items.append((sender, word) if word.startswith("/") else (word, "/StatusNotifierItem"))
    invocation.return_value(None)


def watcher_read(_bus, _sender, _path, _interface, name):
    return {"RegisteredStatusNotifierItems": GLib.Variant("as", [service + path for service, path in items]),
            "IsStatusNotifierHostRegistered": GLib.Variant("b", True),
            "ProtocolVersion": GLib.Variant("i", 0)}[name]


def notified(_bus, _sender, _path, _interface, method, arguments, invocation):
    if method == "Notify":
        program, _replaces, _icon, summary, body, _actions, _hints, _time = arguments.unpack()
        shown.append({"program": program, "summary": summary, "body": body})
        invocation.return_value(GLib.Variant("(u)", (len(shown),)))
    elif method == "GetCapabilities":
        invocation.return_value(GLib.Variant("(as)", (["body"],)))
    elif method == "GetServerInformation":
        invocation.return_value(GLib.Variant("(ssss)", ("test", "test", "1", "1.2")))
    else:
        invocation.return_value(None)


def call(service, path, interface, method, arguments):
    return bus.call_sync(service, path, interface, method, arguments, None, 0, 5000).unpack()


def here():
    """The items whose programs are still on the bus."""
    return [item for item in items if call("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus",
                                           "NameHasOwner", GLib.Variant("(s)", (item[0],)))[0]]


def properties(item):
    return call(*item, "org.freedesktop.DBus.Properties", "GetAll",
                GLib.Variant("(s)", ("org.kde.StatusNotifierItem",)))[0]


def menu_at():
    service, path = here()[-1]
    return service, properties((service, path))["Menu"], "com.canonical.dbusmenu"


def answer(words):
    if words[0] == "items":
        return [{"id": found["Id"], "status": found["Status"], "icon": found["IconName"]}
                for found in map(properties, here())]
    if words[0] == "menu":
        at = menu_at()
        call(*at, "AboutToShow", GLib.Variant("(i)", (0,)))
        _revision, (_id, _root, children) = call(*at, "GetLayout", GLib.Variant("(iias)", (0, -1, [])))
        return [{"id": number, "label": found.get("label", "").replace("_", ""), "type": found.get("type", "standard"),
                 "toggle": found.get("toggle-state") if found.get("toggle-type") else None,
                 "enabled": found.get("enabled", True)}
                for number, found, _children in children]
    if words[0] == "press":
        # The program may end by this very press and then answers nothing.
        service, path, interface = menu_at()
        bus.call(service, path, interface, "Event",
                 GLib.Variant("(isvu)", (int(words[1]), "clicked", GLib.Variant("i", 0), 0)), None, 0, 5000, None, None)
        bus.flush_sync()
        return True
    return shown


def asked(source, _condition):
    line = source.readline()
    if not line:
        loop.quit()
        return False
    try:
        said = {"value": answer(line.split())}
    except (GLib.Error, IndexError, KeyError) as error:
        said = {"error": str(error)}
    print(json.dumps(said), flush=True)
    return True


if "tray" in sys.argv:
    own("org.kde.StatusNotifierWatcher", "/StatusNotifierWatcher", WATCHER, watcher_call, watcher_read)
if "notifications" in sys.argv:
    own("org.freedesktop.Notifications", "/org/freedesktop/Notifications", NOTIFICATIONS, notified)
GLib.io_add_watch(sys.stdin, GLib.IO_IN | GLib.IO_HUP, asked)
print("ready", flush=True)
loop.run()
