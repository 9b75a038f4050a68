// Times a step and two ways through the kernel, in the page: from the dispatched event to
// the frame painted, without the wait for the screen's next refresh (0 to 17 ms).
// `work` is that time in milliseconds, `wall` the same with the wait.
{
  const frame = {};
  const request = window.requestAnimationFrame.bind(window);
  window.requestAnimationFrame = (call) => request((now) => {
    if (frame.at !== now) Object.assign(frame, { at: now, began: performance.now() });
    call(now);
  });

  const pause = (ms) => new Promise((done) => setTimeout(done, ms + 17 * Math.random()));

  // A message that is posted in a frame is heard when that frame is painted.
  const painted = () => new Promise((done) => requestAnimationFrame(() => {
    const channel = new MessageChannel();
    channel.port1.onmessage = () => done(performance.now());
    channel.port2.postMessage(null);
  }));

  async function timed(act) {
    const begun = performance.now();
    await act();
    const changed = performance.now();
    const done = await painted();
    return { work: changed - begun + done - Math.max(frame.began, changed), wall: done - begun };
  }

  const changes = (node, isDone) => new Promise((done, fail) => {
    const late = setTimeout(() => fail(new Error(`nothing new: ${node.textContent}`)), 10000);
    const watch = new MutationObserver(() => {
      if (!isDone()) return;
      watch.disconnect();
      clearTimeout(late);
      done();
    });
    watch.observe(node, { childList: true, characterData: true, subtree: true });
  });

  const find = (selector) => document.querySelector(`.jp-OutputArea-output ${selector}`);
  const press = (key) => find(".tk-rail").dispatchEvent(
    new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }),
  );

  window.bench = {
    press,
    async step(title) {
      const button = find(`.tk-st-time button[title^="${title}"]`);
      const number = find(".tk-count b");
      const before = number.textContent;
      await pause(400);
      const took = await timed(() => button.click());
      if (number.textContent === before) throw new Error(`no step from ${before}`);
      return took;
    },
    async button() {
      const label = find(".widget-label");
      await pause(600);
      return timed(() => {
        const heard = changes(label, () => true);
        find(".jupyter-button").click();
        return heard;
      });
    },
    async answer() {
      const count = find(".tk-count");
      const frames = () => count.textContent.split(" of ").at(-1);
      const before = frames();
      await pause(600);
      return timed(() => {
        const heard = changes(count, () => frames() !== before);
        press("1");
        return heard;
      });
    },
  };
}
