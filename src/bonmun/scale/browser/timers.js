// Runs in every frame before the scripts of the page. Keeps the due times of timers, so that bonmun can wait for those
// that are about to fire. `globalThis[Symbol.for("bonmun")]()` returns the milliseconds until the next timer of the page
// or of its frames is due; -1 if there is none.
(() => {
  const MAX_TIMERS = 10000, MAX_FRAMES = 100, NAME = Symbol.for("bonmun");
  const SLACK_MS = 50; // after its due time, a timer may still be about to run
  const apply = Reflect.apply, now = performance.now.bind(performance), max = Math.max, min = Math.min, ceil = Math.ceil;
  const timers = new Map(); // by number: start and delay in ms, and whether it is repeated
  const remove = Map.prototype.delete.bind(timers), put = Map.prototype.set.bind(timers);
  const each = Map.prototype.forEach.bind(timers);

  let pruned = 0;
  const prune = () => {
    pruned = now();
    each(([start, delay, isRepeated], number) => {
      if (!isRepeated && start + delay + SLACK_MS < pruned) remove(number);
    });
  };
  const watch = (name, isRepeated) => {
    globalThis[name] = new Proxy(globalThis[name], {
      apply(target, self, given) {
        const number = apply(target, self, given);
        if (timers.size >= MAX_TIMERS && now() > pruned + SLACK_MS) prune();
        const delay = Number(given[1]);
        if (timers.size < MAX_TIMERS) put(number, [now(), delay > 0 ? delay : 0, isRepeated]);
        return number;
      },
    });
  };
  const forget = (name) => {
    globalThis[name] = new Proxy(globalThis[name], {
      apply(target, self, given) {
        remove(given[0]);
        return apply(target, self, given);
      },
    });
  };
  watch("setTimeout", false);
  watch("setInterval", true);
  forget("clearTimeout");
  forget("clearInterval");

  const findNext = () => {
    prune();
    let next = Infinity;
    each(([start, delay, isRepeated]) => {
      const passed = now() - start, step = max(delay, 1);
      next = min(next, isRepeated ? step * ceil(passed / step) - passed : delay - passed);
    });
    return next;
  };
  const findNextOfAll = () => {
    let next = findNext();
    const left = [globalThis];
    for (let count = 0; left.length && count < MAX_FRAMES; count++) {
      const frame = left.pop();
      for (let i = 0; i < frame.length && left.length < MAX_FRAMES; i++) {
        try {
          next = min(next, frame[i][NAME](true));
          left.push(frame[i]);
        } catch { /* of another site, or not loaded */ }
      }
    }
    return next;
  };
  Object.defineProperty(globalThis, NAME, {
    value: (isFrame) => {
      if (isFrame) return findNext();
      const next = findNextOfAll();
      return next === Infinity ? -1 : max(next, 0);
    },
  });
})();
