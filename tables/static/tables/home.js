// Looks again every half minute, while the page is in front and somebody asked for it. The page does without.
const EVERY = 30_000, KEPT = "home-again";
const label = document.querySelector(".home-again"), box = label.querySelector("input");
label.hidden = false;
box.checked = sessionStorage.getItem(KEPT) === "yes";
box.addEventListener("change", () => sessionStorage.setItem(KEPT, box.checked ? "yes" : "no"));
setInterval(() => {
  const busy = document.activeElement && document.activeElement !== document.body && document.activeElement !== box;
  if (box.checked && document.visibilityState === "visible" && !busy) location.reload();
}, EVERY);
