/* Keeps every figure that is seen beside its time, at each frame and each change: while something turns, old beside old
   and new beside new. */
window.recorded = new Set()
addEventListener("DOMContentLoaded", () => {
    const texts = node => {
        const kept = node.querySelector(".kept")
        if (!kept) return [node.textContent, node.textContent]
        const [now, was] = ["now", "was"].map(name => node.querySelector(`.${name}`)?.textContent)
        return [kept.textContent + (was ?? now), kept.textContent + now]
    }
    const look = () => {
        for (const level of document.querySelectorAll(".level")) {
            const [amounts, times] = [".amount .face", "time.face"].map(name => texts(level.querySelector(name)))
            for (const n of [0, 1]) recorded.add(JSON.stringify([level.dataset.level, amounts[n], times[n]]))
        }
    }
    new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true })
    const frame = () => { look(); requestAnimationFrame(frame) }
    frame()
})
