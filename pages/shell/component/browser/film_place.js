// The place of the film's stage in the window. If all of it fits, each part keeps its place through all steps.
// Otherwise parts of later or finished steps take no room (film.css), so that each step happens in one place.

// The element to look at in each step, if the stage is higher than the window.
const LOOKS = [".att-arcs", ".att-arcs", ".att-arcs", ".att-arcs", ".att-arcs", ".att-arcs", ".att-asking"];
// The lower ends of the scores and of the shares, given by the shapes below them.
const NEXT_LINE = { "--att-scores": ["line share", "frame 0"], "--att-shares": ["line value", "value 0"] };
// The step in which arcs come; how much higher than the window the stage may be, as a share of the window.
const [ARCS, NEARLY] = [6, 0.25];

const box = (of) => document.querySelector(of)?.getBoundingClientRect();
const covered = (panel) => panel.offsetHeight + 10;

// isOver: after the last step the page stands as before; wasWhole: whether the whole stage fitted before. Returns
// whether it fits now.
export function stand(at, isOver, wasWhole, panel) {
  const { dataset, style } = document.documentElement;
  dataset.filmed = isOver ? "over" : String(at);
  if (!isOver) dataset.stage = "whole";
  const [arcs, flow] = [".att-arcs", ".att-flow"].map(box);
  const isWhole = isOver ? wasWhole : Boolean(arcs && flow) && flow.bottom - arcs.top <= innerHeight - covered(panel);
  if (!isWhole) dataset.stage = "cut";
  const [plot, words, rows] = [".att-arcs .att-plot", ".att-arcs .att-the-words", ".att-film-rows"].map(box);
  // In the first steps, rows stand below the words.
  const low = Math.max(words?.bottom ?? 0, rows?.bottom ?? 0);
  if (plot && words) style.setProperty("--att-words", `${Math.ceil(low - plot.top) + 8}px`);
  for (const [ends, next] of Object.entries(NEXT_LINE)) {
    const tops = next.map((name) => box(`.att-arcs [data-name="${name}"]`)?.top ?? Infinity);
    if (plot) style.setProperty(ends, `${Math.floor(Math.min(...tops) - plot.top)}px`);
  }
  if (isOver && !isWhole) document.querySelector(".att-arcs")?.scrollIntoView({ block: "center", behavior: "instant" });
  return isWhole;
}

// Scroll a whole stage into sight, or of another the part of the step. Before the arcs come, the room above the words
// is empty.
export function look(at, isWhole, panel) {
  const [arcs, words, flow, looked] = [".att-arcs", ".att-word", ".att-flow", LOOKS[at - 1]].map(box);
  if (!arcs || !words || !flow) return;
  const above = covered(panel);
  if (isWhole) return scroll(Math.min(arcs.top - above, Math.max(flow.bottom - innerHeight, 0)));
  const about = looked ?? arcs;
  const from = at < ARCS ? words.top : arcs.top;
  const over = flow.bottom - from - (innerHeight - above);
  scroll(
    over < NEARLY * innerHeight
      ? from - above + (LOOKS[at - 1] === ".att-flow" ? Math.max(over, 0) : 0)
      : about.top - above - Math.max(0, (innerHeight - above - about.height) / 2),
  );
}

function scroll(by) {
  document.querySelector("[data-testid=stMain]")?.scrollBy({ top: by, behavior: "instant" });
}

// Remove the stage.
export function strike() {
  const { dataset, style } = document.documentElement;
  for (const one of ["filmed", "stage"]) delete dataset[one];
  for (const one of ["--att-words", ...Object.keys(NEXT_LINE)]) style.removeProperty(one);
}
