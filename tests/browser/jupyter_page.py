"""JupyterLab in a browser, used as a student uses it: with the mouse and the keys."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Locator, Page

from tests.browser.conftest import PATIENCE

# The notebook that is open, through the application that JupyterLab exposes on request.
NOTEBOOK = "const panel = jupyterapp.shell.currentWidget, notebook = panel.content;"
COUNT_RUNS = f"""() => {{ {NOTEBOOK}
    window.runs = 0;
    panel.sessionContext.iopubMessage.connect((_, {{ header }}) => {{
        if (header.msg_type === "execute_input") window.runs += 1;
    }});
}}"""
IDLE = f"""() => {{ {NOTEBOOK}
    const cells = notebook.widgets.filter((cell) => cell.model.type === "code");
    return panel.sessionContext.session?.kernel?.status === "idle"
        && cells.every((cell) => cell.prompt !== "*");
}}"""


class JupyterPage:
    """One page with one notebook.

    Parameters
    ----------
    page : of the browser.
    address : of the server, with a slash at its end.
    token : that lets us in.
    """

    def __init__(self, page: Page, address: str, token: str) -> None:
        self.page, self.address, self.token = page, address, token
        page.set_default_timeout(PATIENCE)

    def open(self, name: str) -> None:
        """Open a notebook, and wait until it is rendered and its kernel is there."""
        self.page.goto(f"{self.address}doc/tree/{name}?token={self.token}&reset")
        self.page.wait_for_selector(".jp-Notebook .jp-Cell .myst")
        self.page.wait_for_function(IDLE)
        self.page.evaluate(COUNT_RUNS)

    def press_and_run(self) -> None:
        """Run the active cell, and wait until it has run."""
        self.page.evaluate("() => { window.runs = 0; }")
        self.page.keyboard.press("Control+Enter")
        self.page.wait_for_function("() => window.runs > 0")
        self.page.wait_for_function(IDLE)

    def run_all(self) -> None:
        """Run all cells, and wait until they have run."""
        run = "() => jupyterapp.commands.execute('notebook:run-all-cells')"
        self.page.evaluate(run)
        self.page.wait_for_function(IDLE)

    def restart(self) -> None:
        """Restart the kernel, as the menu does, and confirm it."""
        restart = "() => void jupyterapp.commands.execute('kernelmenu:restart')"
        self.page.evaluate(restart)
        self.page.click(".jp-Dialog .jp-mod-accept")
        self.page.wait_for_selector(".jp-Dialog", state="detached")
        self.page.wait_for_function(IDLE)

    def save(self) -> None:
        """Save the notebook."""
        self.page.evaluate("() => jupyterapp.commands.execute('docmanager:save')")

    def answer(self, question: str, text: str) -> Locator:
        """Write an answer into its cell, run it, and return its output."""
        self.go_to(f"%%answer {question}")
        keys = self.page.keyboard
        keys.press("Enter")
        keys.press("Control+a")
        keys.insert_text(f"%%answer {question}\n{text}")
        self.press_and_run()
        return self.output(f"%%answer {question}")

    def run(self, begins: str) -> Locator:
        """Run the cell that begins so, and return its output."""
        self.go_to(begins)
        self.press_and_run()
        return self.output(begins)

    def go_to(self, begins: str) -> None:
        """Make the cell that begins so the active one, in command mode, in sight."""
        found = self.page.evaluate(
            f"""(begins) => {{ {NOTEBOOK}
            return notebook.widgets.findIndex(
                (cell) => cell.model.sharedModel.source.startsWith(begins));
            }}""",
            begins,
        )
        assert found >= 0, f"no cell begins with {begins}"
        self.scroll_to(found)

    def scroll_to(self, number: int) -> None:
        """Make the cell of this number, from 0, the active one, in sight."""
        self.page.evaluate(
            f"""async (number) => {{ {NOTEBOOK}
            notebook.deselectAll();
            notebook.activeCellIndex = number;
            notebook.mode = "command";
            await notebook.scrollToItem(number, "start");
            notebook.node.focus();
            notebook.activate();
            }}""",
            number,
        )
        self.page.wait_for_selector(".jp-Cell.jp-mod-active")

    def output(self, begins: str) -> Locator:
        """Return the output of the cell that begins so, scrolled into sight."""
        self.go_to(begins)
        return self.page.locator(".jp-Cell.jp-mod-active .jp-Cell-outputWrapper")

    def outputs(self) -> list[dict[str, Any]]:
        """Return all outputs of all code cells, as the model has them."""
        found: list[dict[str, Any]] = self.page.evaluate(
            f"""() => {{ {NOTEBOOK}
            return notebook.widgets.filter((cell) => cell.model.type === "code")
                .flatMap((cell) => cell.model.outputs.toJSON());
            }}"""
        )
        return found
