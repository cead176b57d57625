// Works out anew, a moment after the last key, what pay tables return as they stand in the form. Without it there is
// the button Recompute.
"use strict";
{
  const WAIT = 300;
  const shown = document.getElementById("figures");
  let timer, asked = 0;

  const ask = async () => {
    const mine = ++asked;
    const form = shown.closest("form");
    const said = new URLSearchParams();
    for (const [name, value] of new FormData(form)) {
      if (name !== "csrfmiddlewaretoken" && name !== "once" && name !== "note" && typeof value === "string") said.append(name, value);
    }
    try {
      const answer = await fetch(`${shown.dataset.figures}?${said}`, { headers: { Accept: "text/html" } });
      const text = await answer.text();
      if (answer.ok && !answer.redirected && mine === asked) shown.innerHTML = text;
    } catch {
      // The figures stand as they were; the button works them out.
    }
  };

  if (shown) {
    shown.closest("form").addEventListener("input", () => {
      clearTimeout(timer);
      timer = setTimeout(ask, WAIT);
    });
  }
}
