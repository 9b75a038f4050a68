// Two models and a manager small enough for a page: a course and the study it follows.
const data = JSON.parse(document.getElementById("data").textContent);

function modelOf(state, more = {}) {
  const calls = {};
  const fire = (name, ...rest) => (calls[name] || []).slice().forEach((call) => call(...rest));
  const model = {
    state,
    fire,
    saved: 0,
    get: (name) => state[name],
    set: (name, value) => {
      if (state[name] === value) return;
      state[name] = value;
      fire(`change:${name}`);
    },
    save_changes: () => { model.saved += 1; },
    on: (name, call) => { (calls[name] ||= []).push(call); },
    off: (name, call) => { calls[name] = (calls[name] || []).filter((one) => one !== call); },
    heard: () => Object.values(calls).flat().length,
    ...more,
  };
  return model;
}

const study = modelOf({ at: data.course.at });
const manager = {
  get_model: async (id) => {
    if (id !== data.course.study_model) throw new Error("widget model not found");
    return study;
  },
};
const course = modelOf(data.course, data.alone ? {} : { widget_manager: manager });
const address = URL.createObjectURL(new Blob([WIDGET], { type: "text/javascript" }));
const { default: widget } = await import(address);
widget.initialize({ model: course });
const hosts = [...document.querySelectorAll(".course")];
const leaves = hosts.map((el) => widget.render({ model: course, el }));
window.page = { study, course, leave: () => leaves.forEach((leave) => leave()) };
await new Promise((done) => { setTimeout(done); });
document.body.dataset.ready = "true";
