/**
 * The wall of a hall: it turns its screens, takes over what changes, and runs the clocks by the time of the server.
 *
 * It is written for browsers of ten years ago: no modules, no arrow functions, no promises. Without a network the last
 * picture stays, its clocks go on, and a line says since when nothing has come.
 */
(function () {
  "use strict";

  /** Milliseconds between two looks, and after which a request is given up. */
  var LOOK = 2000;
  var PATIENCE = 8000;
  /** Milliseconds without an answer after which the wall says so. */
  var SILENCE = 7000;
  /** How long a beginning is announced, as `words/round_clock.py` has it. */
  var ANNOUNCED = 60000;
  /** A measure of the server's time is used so long, unless a better one comes. */
  var STALE = 60000;

  var wall = /** @type {HTMLElement} */ (document.getElementById("wall"));
  var cut = /** @type {HTMLElement} */ (document.getElementById("cut"));
  var steady = Boolean(window.performance) && typeof window.performance.now === "function";
  /** What the server's clock is ahead of `elapsed`, how exactly that is known, and when it was measured. */
  var ahead = (Number(said("now")) || new Date().getTime()) - elapsed();
  var doubt = Infinity;
  var measured = 0;
  var heard = elapsed();
  var shownSince = elapsed();
  var held = false;
  var turning = false;
  var looking = false;

  /** Milliseconds that pass evenly, whatever somebody does to the clock of this device. */
  function elapsed() {
    return steady ? window.performance.now() : new Date().getTime();
  }

  /** @param {string} name of a data attribute of the screen */
  function said(name) {
    return wall.getAttribute("data-" + name) || "";
  }

  /** The time of the server. */
  function now() {
    return elapsed() + ahead;
  }

  /** @param {number} time of the server @param {number} sent @param {number} came when its answer was here */
  function measure(time, sent, came) {
    var wide = (came - sent) / 2;
    if (wide > doubt && came - measured < STALE) return;
    ahead = time - (sent + came) / 2;
    doubt = wide;
    measured = came;
  }

  /**
   * Ask for an address and hand over its text, or null where nothing came.
   * @param {string} address @param {(text: string|null, sent: number, came: number) => void} done
   */
  function ask(address, done) {
    var request = new XMLHttpRequest();
    var sent = elapsed();
    var over = false;
    /** @param {string|null} text */
    function end(text) {
      if (over) return;
      over = true;
      clearTimeout(timer);
      done(text, sent, elapsed());
    }
    var timer = setTimeout(function () {
      end(null);
      request.abort();
    }, PATIENCE);
    request.onreadystatechange = function () {
      if (request.readyState === 4) end(request.status === 200 ? request.responseText : null);
    };
    try {
      request.open("GET", address, true);
      request.send();
    } catch (error) {
      end(null);
    }
  }

  /** @param {number} number */
  function two(number) {
    return (number < 10 ? "0" : "") + number;
  }

  /** A time with hours where there are some. @param {number} span in milliseconds */
  function digits(span) {
    var seconds = Math.floor(Math.max(0, span) / 1000);
    var minutes = Math.floor(seconds / 60);
    if (minutes < 60) return minutes + ":" + two(seconds % 60);
    return Math.floor(minutes / 60) + ":" + two(minutes % 60) + ":" + two(seconds % 60);
  }

  /** The time of day where the event is held; of this device where nobody knows that. @param {number} moment */
  function clockTime(moment) {
    var zone = said("zone");
    if (zone === "") {
      var own = new Date(moment);
      return two(own.getHours()) + ":" + two(own.getMinutes());
    }
    var there = new Date(moment + Number(zone) * 60000);
    return two(there.getUTCHours()) + ":" + two(there.getUTCMinutes());
  }

  /** @param {Element} clock @param {string} name @param {string} text */
  function fill(clock, name, text) {
    var part = clock.getElementsByClassName(name)[0];
    if (part && part.textContent !== text) part.textContent = text;
  }

  /** @param {HTMLElement} clock @param {{[name: string]: string}} words */
  function run(clock, words) {
    var begins = Number(clock.getAttribute("data-begins"));
    var late = Number(clock.getAttribute("data-late"));
    var round = clock.getAttribute("data-round") || "";
    var since = now() - begins;
    var phase = "running";
    if (since < 0) phase = "before";
    else if (!clock.getAttribute("data-runs")) phase = "waiting";
    else if (since < Math.min(ANNOUNCED, late)) phase = "begun";
    else if (since <= late) phase = "late";
    else if (since < late + ANNOUNCED) phase = "lost";
    var small = / small /.test(" " + clock.className + " ") ? " small" : "";
    var look = "clock" + small + " " + phase;
    if (clock.className !== look) clock.className = look;
    fill(clock, "say", words[phase].replace("{n}", round));
    // What is left is rounded up: a countdown ends when nothing is left.
    fill(clock, "time", phase === "waiting" ? "" : digits(since < 0 ? 999 - since : since));
    fill(clock, "more", (words["more " + phase] || "").replace("{t}", digits(late - since + 999)));
  }

  /** Bring everything that runs up to now. */
  function tick() {
    var words = JSON.parse(said("phrases"));
    var clocks = wall.getElementsByClassName("clock");
    var calls = wall.getElementsByClassName("call");
    var at;
    for (at = 0; at < clocks.length; at++) run(/** @type {HTMLElement} */ (clocks[at]), words);
    for (at = 0; at < calls.length; at++) {
      var call = /** @type {HTMLElement} */ (calls[at]);
      call.style.display = Number(call.getAttribute("data-until")) > now() ? "" : "none";
    }
    if (!said("clock")) return;
    var lost = elapsed() - heard > SILENCE;
    var text = lost ? words.cut.replace("{t}", clockTime(heard + ahead)) : "";
    cut.style.display = lost ? "block" : "";
    if (cut.textContent !== text) cut.textContent = text;
  }

  /** Show another screen in place of this one. @param {string} text of its page @param {string} address */
  function take(text, address) {
    var other = document.createElement("div");
    var from = text.indexOf("<main");
    var to = text.indexOf("</main>");
    other.innerHTML = from < 0 || to < 0 ? "" : text.slice(from, to) + "</main>";
    var fresh = /** @type {HTMLElement|null} */ (other.firstElementChild);
    if (!fresh || fresh.getAttribute("data-static") !== said("static") || !history.replaceState) {
      location.replace(address); // another release, or a browser that cannot do it here
      return;
    }
    if (wall.parentNode) wall.parentNode.replaceChild(fresh, wall);
    wall = fresh;
    if (address !== location.href) history.replaceState(null, "", address);
    tick();
  }

  /** Go to the next screen if it comes; otherwise this one stays. */
  function turn() {
    var link = document.createElement("a");
    link.href = said("next");
    var next = link.href;
    if (location.protocol === "file:") {
      location.replace(next);
      return;
    }
    turning = true;
    ask(next, function (text) {
      turning = false;
      if (text === null) return;
      shownSince = elapsed();
      take(text, next);
    });
  }

  /** Ask for the time and whether anything has changed; if so, this screen is taken over. */
  function look() {
    looking = true;
    ask(said("clock"), function (text, sent, came) {
      looking = false;
      var told = null;
      try {
        told = text === null ? null : JSON.parse(text);
      } catch (error) {
        // Something between has answered in its place.
      }
      if (!told || typeof told.now !== "number") return;
      heard = came;
      measure(told.now, sent, came);
      if (told.version === said("version") || turning) return;
      var address = location.href;
      ask(address, function (page) {
        if (page !== null && !turning && address === location.href) take(page, address);
      });
    });
  }

  document.onkeydown = function (event) {
    if (event.keyCode === 32) held = !held; // the space bar holds the wall
  };
  setInterval(tick, 250);
  setInterval(function () {
    if (!turning && !held && elapsed() - shownSince >= Number(said("seconds")) * 1000) turn();
  }, 200);
  if (said("clock")) {
    setInterval(function () {
      if (!looking) look();
    }, LOOK);
    look();
  }
  tick();
})();
