// Say a sentence once on a page: of figures with the same explanation only the first shows it, and of repeated figures
// only the first has a summary.

let isDue = false;

// Wait until all parts are there, since they are mounted in any order.
export function sayOnce() {
  if (isDue) return;
  isDue = true;
  requestAnimationFrame(() => {
    isDue = false;
    const told = new Set();
    document.querySelectorAll(".att-card").forEach((card) => {
      const [text, note] = [card.querySelector(".att-text").textContent, card.querySelector(".att-note").textContent];
      repeat(card, "text", told, text);
      repeat(card, "note", told, note && `${card.dataset.figure} ${card.dataset.stamp} ${note}`);
    });
  });
}

function repeat(card, part, told, sentence) {
  card.toggleAttribute(`data-repeats-${part}`, Boolean(sentence) && told.has(sentence));
  told.add(sentence);
}
