// Words that change places. A word that occurs twice is two words, the first and the second.

// Name each word by its count among equal words, and itself.
export function named(words) {
  const seen = new Map();
  return words.map((word) => {
    const before = seen.get(word) ?? 0;
    seen.set(word, before + 1);
    return `${before} ${word}`;
  });
}

// The words of such names.
export const words = (names) => names.map((name) => name.slice(name.indexOf(" ") + 1));

// Move a word to another place. The others keep their order; equal words are counted anew.
export function moved(names, name, to) {
  const others = names.filter((one) => one !== name);
  return named(words([...others.slice(0, to), name, ...others.slice(to)]));
}
