// Convenience only: remembers the language, and starts in the reader's own.
(function () {
  "use strict";
  var key = "topiccrawl-report-language", wanted = null;
  try { wanted = localStorage.getItem(key); } catch (e) { /* storage is off for this file */ }
  if (!wanted) { wanted = /^zh/i.test(navigator.language || "zh") ? "zh" : "en"; }
  var chosen = document.getElementById("lang-" + wanted);
  if (chosen) { chosen.checked = true; }
  function apply() {
    var now = document.querySelector('input[name="lang"]:checked');
    document.documentElement.lang = now && now.value === "en" ? "en" : "zh-CN";
  }
  apply();
  document.addEventListener("change", function (event) {
    if (event.target.name !== "lang") { return; }
    apply();
    try { localStorage.setItem(key, event.target.value); } catch (e) { /* not remembered */ }
  });
})();
