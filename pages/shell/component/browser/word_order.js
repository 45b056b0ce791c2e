// Words that change places: a word that stands in a text twice is two, the first and the second.

// The words by name: those that stand there once more are counted.
export function named(words) {
  const seen = new Map();
  return words.map((word) => {
    const before = seen.get(word) ?? 0;
    seen.set(word, before + 1);
    return `${before} ${word}`;
  });
}

// The words of names.
export const words = (names) => names.map((name) => name.slice(name.indexOf(" ") + 1));

// A word at another place; the others keep their order, and the same word is counted anew.
export function moved(names, name, to) {
  const others = names.filter((one) => one !== name);
  return named(words([...others.slice(0, to), name, ...others.slice(to)]));
}
