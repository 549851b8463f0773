// Remembers the language, and sorts and filters the list of pages.  Without scripts the report shows
// its first pages and both languages all the same.
(function () {
  "use strict";

  function language() {
    var key = "topiccrawl-report-language", wanted = null;
    try { wanted = localStorage.getItem(key); } catch (e) { /* storage is off for this file */ }
    if (!wanted) { wanted = /^zh/i.test(navigator.language || "zh") ? "zh" : "en"; }
    var chosen = document.getElementById("lang-" + wanted);
    if (!chosen) { return; }
    chosen.checked = true;
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
  }

  // Positions in a row of data.
  var URL = 0, TITLE = 1, SITE = 2, SOURCE = 3, KIND = 4, STORED = 5, PUBLISHED = 6, RELEVANCE = 7,
    PROBABILITY = 8, SUMMARY = 9, KEYWORDS = 10, GONE = 11;

  function descending(position) {
    return function (a, b) { return a[position] < b[position] ? 1 : a[position] > b[position] ? -1 : 0; };
  }

  function pageList(data) {
    var list = document.getElementById("list"), filter = document.getElementById("filter"),
      more = document.getElementById("more"), shown = data.step, matching = data.rows,
      models = document.getElementById("models").content.children,
      kinds = document.getElementById("kinds").content,
      orders = { new: data.rows, best: null, published: null },
      positions = { best: RELEVANCE, published: PUBLISHED };

    function order() { return document.querySelector('input[name="order"]:checked').value; }

    function ordered() {  // Sorting is stable: equal values stay latest first.
      var name = order();
      orders[name] = orders[name] || data.rows.slice().sort(descending(positions[name]));
      return orders[name];
    }

    function plain(text) { return text.normalize("NFKC").toLowerCase(); }

    function text(row) {  // All texts of a page, made when they are first searched.
      row.text = row.text || plain([row[TITLE], row[SITE], row[SOURCE], row[URL], row[SUMMARY],
        row[STORED], row[PUBLISHED]].concat(row[KEYWORDS]).join("\n"));
      return row.text;
    }

    function put(card, name, value) {
      var part = card.querySelector("." + name);
      if (value === "" || value === null) { part.remove(); return; }
      (part.querySelector("bdi, b") || part).textContent = value;
    }

    function card(row) {
      var made = models[2].cloneNode(true), link = made.querySelector(".title");
      link.firstChild.textContent = row[TITLE];
      if (/^https?:/.test(row[URL])) { link.href = row[URL]; } else { link.removeAttribute("href"); }
      put(made, "site", row[SITE]);
      put(made, "source", row[SOURCE]);
      put(made, "kind", row[KIND]);
      kinds.childNodes.forEach(function (kind) {
        if (kind.dataset.kind !== row[KIND]) { return; }
        made.querySelector(".kind").replaceChildren(...kind.cloneNode(true).childNodes);
      });
      put(made, "published", row[PUBLISHED]);
      put(made, "gone", row[GONE]);
      put(made, "probability", row[PROBABILITY] === null ? null : row[PROBABILITY].toFixed(3));
      put(made, "relevance", row[RELEVANCE].toFixed(3));
      put(made, "digest", row[SUMMARY]);
      var chips = made.querySelector("div.chips"), chip = chips.firstChild;
      chips.replaceChildren(...row[KEYWORDS].map(function (word) {
        var another = chip.cloneNode(true);
        another.textContent = word;
        return another;
      }));
      return made;
    }

    function heading(day) {
      var made = models[day === data.today ? 0 : 1].cloneNode(true);
      made.querySelector("time").textContent = day;
      return made;
    }

    function draw() {
      var day = "", items = [], byDay = order() === "new";
      matching.slice(0, shown).forEach(function (row) {
        if (byDay && row[STORED] !== day) { day = row[STORED]; items.push(heading(day)); }
        items.push(card(row));
      });
      list.replaceChildren(...items);
      document.getElementById("shown").textContent = Math.min(shown, matching.length);
      document.getElementById("matching").textContent = matching.length;
      more.hidden = shown >= matching.length;
    }

    function choose() {
      var wanted = plain(filter.value).split(/\s+/).filter(Boolean);
      matching = ordered().filter(function (row) {
        return wanted.every(function (word) { return text(row).includes(word); });
      });
      shown = data.step;
      draw();
    }

    filter.addEventListener("input", choose);
    document.querySelectorAll('input[name="order"]').forEach(function (input) {
      input.addEventListener("change", choose);
    });
    document.querySelectorAll("#keywords button").forEach(function (button) {
      button.disabled = false;
      button.addEventListener("click", function () {
        filter.value = button.value;
        choose();
        filter.focus();
      });
    });
    more.addEventListener("click", function () {
      var first = list.children.length;
      shown += data.step;
      draw();
      var next = list.children[first], link = next && next.querySelector("a");
      if (link) { link.focus(); }
    });
    document.getElementById("controls").hidden = false;
    choose();
  }

  language();
  var source = document.getElementById("pages-data");
  if (source) { pageList(JSON.parse(source.textContent)); }
})();
