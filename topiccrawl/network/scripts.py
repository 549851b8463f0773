"""Scripts that run in the pages of the browser."""

from __future__ import annotations

from typing import Final

#: Before the scripts of the page: nothing opens windows or asks the user.
PREPARE: Final = """
window.open = () => null;
window.print = () => {};
"""

#: What changes while a page is built.
STATE: Final = """
() => {
  const body = document.body;
  return {
    ready: document.readyState !== 'loading',
    text: body ? body.innerText.length : 0,
    elements: document.getElementsByTagName('*').length,
  };
}
"""

#: Write what is shown, and plain HTML lacks, into the page: shadow trees, and the links of routes;
#: remove what only browsers without scripts show.  Returns the size of the HTML.
FLATTEN: Final = """
() => {
  const open = (root) => {
    for (const element of [...root.querySelectorAll('*')]) {
      if (element.shadowRoot) {
        open(element.shadowRoot);
        const copy = document.createElement('div');
        copy.innerHTML = element.shadowRoot.innerHTML;
        element.appendChild(copy);
      }
    }
  };
  open(document);
  for (const element of [...document.querySelectorAll('noscript')]) element.remove();
  return document.documentElement.outerHTML.length;
}
"""
