// Improvements for browsers with scripts; every view works without them.
(() => {
  "use strict";

  const prepare = (root) => {
    root.querySelectorAll("select[data-submit], input[data-submit]").forEach((field) => {
      field.addEventListener("change", () => field.form.requestSubmit());
    });
    root.querySelectorAll("form[data-confirm], button[data-confirm]").forEach((it) => {
      const form = it.form || it;
      form.addEventListener("submit", (event) => {
        if (it === form || event.submitter === it) {
          if (!window.confirm(it.dataset.confirm)) event.preventDefault();
        }
      });
    });
  };

  // Where a chart is wider than the screen, its newest days are in sight.
  const showNewest = () => {
    document.querySelectorAll("[data-newest]").forEach((it) => { it.scrollLeft = it.scrollWidth; });
  };

  // On a narrow screen the sections scroll sideways: show the one that is open.
  const showSection = () => {
    const list = document.querySelector(".sections ul");
    const open = list && list.querySelector("[aria-current]");
    if (open) list.scrollLeft = open.offsetLeft - list.offsetLeft - (list.clientWidth - open.offsetWidth) / 2;
  };

  document.addEventListener("DOMContentLoaded", () => {
    prepare(document);
    showSection();
    showNewest();
  });
  document.addEventListener("htmx:afterSwap", (event) => prepare(event.detail.target));

  // A menu closes when something else is chosen.
  document.addEventListener("click", (event) => {
    document.querySelectorAll("details.menu[open]").forEach((menu) => {
      if (!menu.contains(event.target)) menu.open = false;
    });
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") {
      document.querySelectorAll("details.menu[open]").forEach((menu) => {
        menu.open = false;
        menu.querySelector("summary").focus();
      });
      return;
    }
    const typing = event.target.closest("input, textarea, select, [contenteditable]");
    if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
    const found = document.querySelector(`[data-key="${CSS.escape(event.key)}"]`);
    if (found) {
      event.preventDefault();
      if (found.matches("input, textarea, select")) { found.focus(); } else { found.click(); }
    }
  });
})();
