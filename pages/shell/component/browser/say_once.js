// A page says a sentence once: of figures that explain the same, the first of the page does, and of one that stands
// there twice, the first sums it up.

let isDue = false;

// When all that has come is there: mounts come in any order.
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
