"""Serve the built site on this machine only, until Ctrl-C."""

import argparse
from functools import partial
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any


class Handler(SimpleHTTPRequestHandler):
    """Static files, without a log line for each and never from an old cache."""

    def log_message(self, *args: object) -> None:
        pass

    def send_error(self, code: int, *args: Any) -> None:
        """Show the page of the site for what it has not."""
        page = Path(self.directory, "404.html")
        if code != HTTPStatus.NOT_FOUND or not page.exists():
            super().send_error(code, *args)
            return
        text = page.read_bytes()
        self.send_response(code)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(text)

    def end_headers(self) -> None:
        self.send_header("Cache-Control", "no-cache")
        super().end_headers()


def listen(directory: Path, port: int) -> ThreadingHTTPServer:
    """Return a server on `port`, or on any free port if that one is taken."""
    handler = partial(Handler, directory=str(directory))
    try:
        return ThreadingHTTPServer(("127.0.0.1", port), handler)
    except OSError:
        return ThreadingHTTPServer(("127.0.0.1", 0), handler)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("site", type=Path, nargs="?", default=Path("_build/html"))
    parser.add_argument("--port", type=int, default=8000)
    options = parser.parse_args()
    if not (options.site / "index.html").exists():
        parser.error(f"no index.html in {options.site}: build the site first")
    with listen(options.site, options.port) as server:
        print(f"The course is at http://localhost:{server.server_port}/", flush=True)
        print("Stop it with Ctrl-C.", flush=True)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            print()


if __name__ == "__main__":
    main()
