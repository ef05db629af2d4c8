"""The two ends that the window talks to: a model hub on loopback, and a cloud that is llama.cpp behind a
recorder, so that what arrived can be compared byte for byte with what was approved."""
import http.client
import http.server
import json
import os
import subprocess
import threading

#: Tokens of an answer.
SHORT = 64


class Hub(http.server.BaseHTTPRequestHandler):
    """Serves the files in `files` by the end of the path, with Range and ETag as the hub does."""
    files = {}
    #: Paths that were asked for.
    asked = []

    def do_GET(self):
        self.serve(True)

    def do_HEAD(self):
        self.serve(False)

    def serve(self, body):
        self.asked.append(self.path)
        path = self.files.get(self.path.rsplit("/", 1)[-1].split("?")[0])
        if path is None:
            self.send_error(404)
            return
        size, start = os.path.getsize(path), 0
        wanted = self.headers.get("Range")
        if wanted and wanted.startswith("bytes="):
            start = int(wanted[6:].split("-")[0])
            self.send_response(206)
            self.send_header("Content-Range", f"bytes {start}-{size - 1}/{size}")
        else:
            self.send_response(200)
        self.send_header("ETag", f'"{size}"')
        self.send_header("Accept-Ranges", "bytes")
        self.send_header("Content-Length", str(size - start))
        self.end_headers()
        if body:
            with open(path, "rb") as file:
                file.seek(start)
                while piece := file.read(1 << 20):
                    self.wfile.write(piece)

    def log_message(self, *_):
        pass


class Recorder(http.server.BaseHTTPRequestHandler):
    """Writes down each body and hands it on to the real server."""
    behind = 0
    bodies = []
    keys = []

    def do_GET(self):
        self.hand_on("GET", None)

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.bodies.append(body)
        self.keys.append(self.headers.get("Authorization"))
        # What is kept is what came. What is handed on asks for a short answer: a small model may repeat itself
        # for as long as it is let.
        if self.path.endswith("/chat/completions"):
            request = json.loads(body)
            body = json.dumps(request | {"max_tokens": min(request.get("max_tokens") or SHORT, SHORT)}).encode()
        self.hand_on("POST", body)

    def hand_on(self, method, body):
        connection = http.client.HTTPConnection("127.0.0.1", self.behind, timeout=300)
        connection.request(method, self.path, body, {"Content-Type": "application/json"})
        answer = connection.getresponse()
        self.send_response(answer.status)
        self.send_header("Content-Type", answer.getheader("Content-Type", "application/json"))
        self.send_header("Connection", "close")
        self.end_headers()
        while piece := answer.read1(65536):
            self.wfile.write(piece)
            self.wfile.flush()
        self.close_connection = True

    def log_message(self, *_):
        pass


def serve(handler):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server.server_address[1]


class Llama:
    """llama.cpp's own server, in a process of its own, ended with this one."""

    def __init__(self, python, script, weights):
        self.process = subprocess.Popen(
            [python, script, weights], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        for line in self.process.stdout:
            if line.startswith("listening on port "):
                self.port = int(line.split()[-1])
                break
        else:
            raise RuntimeError("the llama.cpp server did not start")
        threading.Thread(target=self.process.stdout.read, daemon=True).start()

    def stop(self):
        self.process.stdin.close()
        self.process.wait(20)
