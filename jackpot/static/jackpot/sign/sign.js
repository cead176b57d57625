/* The sign follows its jackpot: by the stream, and where there is none by asking. docs/decisions: "What the sign may show".

   Every figure on the page is one that the service told, beside the time it was told with; they change together. */
"use strict"

const STALE_SECONDS = 8           // without a word for so long, the sign has lost its source
const HIT_SECONDS = 25            // a hit stays up at least so long
const MOST_HITS = 8               // that wait to be shown
const SETTLED_SECONDS = 5         // after a hit was told, an answer may still be from before it
const ASK_SECONDS = { streaming: 15, asking: 2 }
const RETRY_SECONDS = { first: 1, most: 30 }
const RELOAD_SECONDS = 120        // between two times the sign loads itself anew
const MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ")

const sign = document.querySelector("main.sign")
const find = (name, within = sign) => within.querySelector(name)
const words = code => (code.charAt(0).toUpperCase() + code.slice(1)).replace(/[_-]/g, " ")
const clock = at => at ? at.slice(11, 19) : "–"
const grouped = amount => amount.replace(/^\d+/, whole => whole.replace(/\B(?=(\d{3})+$)/g, ","))
const dayOf = at => `${Number(at.slice(8, 10))} ${MONTHS[Number(at.slice(5, 7)) - 1]}`
const still = matchMedia("(prefers-reduced-motion: reduce)")

function element(name, className, text = "") {
    const made = document.createElement(name)
    made.className = className
    made.textContent = text
    return made
}

/* A line of figures. What changes of it turns like one wheel, old figures out and new ones in, so that no third figure
   is ever seen. The whole line stands beside it for those who hear the page. */
class Face {
    constructor(node) {
        this.shown = node.textContent
        this.moving = []
        this.kept = element("span", "kept")
        this.turn = element("span", "turn")
        this.now = element("span", "now", this.shown)
        this.heard = element("span", "heard", this.shown)
        const seen = element("span", "seen")
        seen.setAttribute("aria-hidden", "true")
        this.turn.append(this.now)
        seen.append(this.kept, this.turn)
        node.replaceChildren(seen, this.heard)
    }

    /* At once, or turning; what moves until it is there. */
    show(text, milliseconds) {
        this.settle()
        if (text === this.shown) return []
        const before = this.shown
        let same = 0
        while (same < text.length && text.length === before.length && text[same] === before[same]) same++
        this.shown = this.heard.textContent = text
        this.kept.textContent = text.slice(0, same)
        this.now.textContent = text.slice(same)
        if (!milliseconds) return []
        this.was = element("span", "was", before.slice(same))
        this.turn.append(this.was)
        const how = { duration: milliseconds, easing: "ease-in-out", fill: "forwards" }
        return this.moving = [
            this.was.animate([{ transform: "none" }, { transform: "translateY(-100%)" }], how),
            this.now.animate([{ transform: "translateY(100%)" }, { transform: "none" }], how),
        ]
    }

    settle() {
        for (const one of this.moving) one.cancel()
        this.moving = []
        this.was?.remove()
    }
}

class Level {
    constructor(node) {
        this.node = node
        this.amount = new Face(find(".amount .face", node))
        this.time = find("time", node)
        this.asOf = new Face(this.time)
        this.turned = -Infinity
    }

    /* Amount and time turn together: old beside old, new beside new. What goes down does not roll. */
    show({ displayed, as_of }) {
        const { dataset } = this.node
        if (dataset.displayed === displayed && dataset.asOf === (as_of ?? "")) return
        if (Date.parse(as_of) < Date.parse(dataset.asOf)) return  // an answer from before what the stream told
        const rises = Number(displayed) >= Number(dataset.displayed)
        const quick = performance.now() - this.turned < 1500
        const milliseconds = still.matches || !rises ? 0 : quick ? 220 : 600
        this.turned = performance.now()
        dataset.displayed = displayed
        dataset.asOf = this.time.dateTime = as_of ?? ""
        const faces = [this.amount, this.asOf]
        for (const face of faces) face.settle()
        const moving = [...this.amount.show(grouped(displayed), milliseconds), ...this.asOf.show(clock(as_of), milliseconds)]
        const settled = () => { for (const face of faces) face.settle() }
        Promise.all(moving.map(one => one.finished)).then(settled, () => {})  // cancelled: the next value is there
        fit()
    }
}

const levels = new Map([...document.querySelectorAll(".level")].map(node => [node.dataset.level, new Level(node)]))

/* Figures are as large as the longest of them allows. */
function fit() {
    const chars = Math.max(1, ...[...levels.values()].map(level => level.amount.shown.length))
    const name = `chars-${chars}`
    if (sign.classList.contains(name)) return
    sign.classList.remove(...[...sign.classList].filter(one => one.startsWith("chars-")))
    sign.classList.add(name)
}

/* Hits: one after the other, each once, the last one in the foot. */
const hits = {
    waiting: [],
    known: [],
    until: 0,
    at: -Infinity,

    key: hit => [hit.level, hit.hand, hit.amount, hit.at].join(" "),

    know(hit) {
        const key = this.key(hit)
        if (this.known.includes(key)) return false
        this.known = [...this.known.slice(1 - MOST_HITS), key]
        return true
    },

    happened(hit) {
        if (!this.know(hit)) return
        this.at = performance.now()
        this.waiting = [...this.waiting.slice(1 - MOST_HITS), hit]
        this.last(hit)
        this.next()
    },

    next() {
        if (performance.now() < this.until) return
        const hit = this.waiting.shift()
        sign.classList.toggle("hit-now", Boolean(hit))
        const place = find(".hit")
        if (!hit) return void place.replaceChildren()
        this.until = performance.now() + HIT_SECONDS * 1000
        const amount = element("p", "hit-amount")
        amount.append(element("span", "currency", sign.dataset.currency), ` ${grouped(hit.amount)}`)
        place.replaceChildren(
            element("p", "hit-word", "Jackpot hit"), element("p", "hit-hand", words(hit.hand)), amount,
            element("p", "hit-when", `${words(hit.level)} · ${clock(hit.at)}`),
        )
    },

    last(hit) {
        const line = find(".last-hit")
        if (!hit) return void line.replaceChildren()
        const rest = `, ${sign.dataset.currency} ${grouped(hit.amount)}, ${dayOf(hit.at)} ${clock(hit.at).slice(0, 5)}`
        line.replaceChildren("Last hit: ", element("b", "", words(hit.hand)), rest)
    },
}

/* The source: when it was heard last, by this page's own clock and by the service's. */
const source = {
    heard: performance.now(),
    at: sign.dataset.at,
    lost: false,
    said: "",

    live(at) {
        this.heard = performance.now()
        this.at = at ?? this.at
        this.lost = false
        this.say()
    },

    lose() {
        this.lost = true
        this.say()
    },

    look() {
        if (performance.now() - this.heard > STALE_SECONDS * 1000) this.lose()
    },

    say() {
        const { state } = sign.dataset
        const notice = this.lost
            ? `Not live – amounts were true at the times shown. Last heard ${clock(this.at)}`
            : { suspended: "Suspended – no bets are taken on this jackpot",
                retired: "Closed – this jackpot is no longer played" }[state] ?? ""
        const said = [this.lost, notice].join()
        if (said === this.said) return
        this.said = said
        sign.classList.toggle("lost", this.lost)
        find(".notice").textContent = notice
        find(".source-word").textContent = this.lost ? "No connection" : "Live"
        sign.classList.toggle("live", !this.lost)
    },
}

/* The stream. What it tells is the present; it is opened again, ever more slowly, as often as it ends. */
const stream = {
    events: null,
    wait: RETRY_SECONDS.first,
    opens: 0,
    opened: 0,
    told: -Infinity,
    away: false,

    flows() {
        return this.events !== null && performance.now() - this.told < STALE_SECONDS * 1000
    },

    open() {
        const events = this.events = new EventSource("stream")
        const on = (name, act) => events.addEventListener(name, ({ data }) => {
            this.told = performance.now()
            this.wait = RETRY_SECONDS.first
            act(JSON.parse(data))
        })
        on("meter", meter => { levels.get(meter.level)?.show(meter); this.heard() })
        on("hit", hit => { hits.happened(hit); this.heard() })
        on("alive", ({ at }) => { if (!this.away) source.live(at) })
        on("source", ({ lost }) => { this.away = lost; lost ? source.lose() : source.live() })
        events.onerror = () => this.close()
        this.away = false
        this.opened = performance.now()
        this.told = -Infinity
    },

    heard() {
        if (!this.away) source.live()
    },

    close() {
        this.events?.close()
        this.events = null
        this.opens = performance.now() + this.wait * (500 + 1000 * Math.random())
        this.wait = Math.min(2 * this.wait, RETRY_SECONDS.most)
    },

    look() {
        const quiet = performance.now() - Math.max(this.opened, this.told)
        if (this.events && quiet > STALE_SECONDS * 1000) this.close()
        if (!this.events && performance.now() > this.opens) this.open()
    },
}

/* Asking: the state and the sign's files always, the amounts while no stream flows. An answer that some cache kept is
   older than what is known, and is no sign of life. */
const asking = {
    next: performance.now() + 3000,
    busy: false,

    async look() {
        if (this.busy || performance.now() < this.next) return
        this.busy = true
        try {
            const answer = await fetch("now", { signal: AbortSignal.timeout(5000), cache: "no-store" })
            if (answer.ok) this.told(await answer.json())
        } catch (error) {
            if (!["TypeError", "TimeoutError", "AbortError"].includes(error.name)) throw error
        } finally {
            this.busy = false
            const pace = ASK_SECONDS[stream.flows() ? "streaming" : "asking"]
            this.next = performance.now() + pace * (750 + 500 * Math.random())
        }
    },

    told(now) {
        if ((now.version !== sign.dataset.version || this.others(now)) && reload()) return
        if (Date.parse(now.at) <= Date.parse(source.at)) return
        sign.dataset.state = now.state
        if (now.hit) hits.happened(now.hit)
        if (performance.now() - hits.at > SETTLED_SECONDS * 1000) hits.last(now.hit)
        if (stream.flows()) return void source.say()
        for (const level of now.levels) levels.get(level.level)?.show(level)
        source.live(now.at)
    },

    /* Another name, other levels, or a jackpot that came to its end: the page itself is another one. */
    others(now) {
        const retired = now.state === "retired"
        return retired !== (sign.dataset.state === "retired") || now.name !== find("h1").textContent
            || (!retired && now.levels.map(one => one.level).join() !== [...levels.keys()].join())
    },
}

/* Not again and again, while processes of two versions answer in turn. Whether it does. */
function reload() {
    const before = Number(sessionStorage.getItem("reloaded") ?? 0)
    if (Date.now() - before < RELOAD_SECONDS * 1000) return false
    sessionStorage.setItem("reloaded", Date.now())
    location.reload()
    return true
}

function look() {
    source.look()
    stream.look()
    asking.look()
    hits.next()
}

hits.known.push(find(".last-hit").dataset.hit)
if (sign.classList.contains("hit-now")) hits.until = performance.now() + HIT_SECONDS * 1000
source.say()
look()
setInterval(look, 250)
