// What follows a step: the panels that come once the first of them are painted, and work that
// reads the layout, which waits until all changes are made.
// While anything is still to come, the root is without its attribute data-settled.

export class Following {
  constructor(root, updateRest) {
    this.root = root;
    this.updateRest = updateRest;
    this.due = false;
    this.works = [];
    this.settle();
  }

  // The rest is drawn in the frame after the next one. A page that is hidden paints no frames.
  askForRest() {
    if (document.hidden) {
      this.updateRest();
      return;
    }
    if (this.due) return;
    this.due = true;
    this.settle();
    this.inFrame(() => this.inFrame(() => {
      this.catchUp();
      this.work();
    }));
  }

  inFrame(call) {
    this.request = requestAnimationFrame(call);
  }

  // Whatever acts on the page is first given all of it.
  catchUp() {
    if (!this.due) return;
    this.forget();
    this.updateRest();
  }

  // The rest has been drawn otherwise, or is not wanted any more.
  forget() {
    cancelAnimationFrame(this.request);
    this.due = false;
    this.settle();
  }

  // Works of the rest are done in its own frame, others in the next one.
  afterChanges(work) {
    this.works.push(work);
    if (this.works.length > 1) return;
    this.settle();
    requestAnimationFrame(() => this.work());
  }

  work() {
    const { works } = this;
    this.works = [];
    works.forEach((one) => one());
    this.settle();
  }

  settle() {
    this.root.toggleAttribute("data-settled", !this.due && !this.works.length);
  }
}
