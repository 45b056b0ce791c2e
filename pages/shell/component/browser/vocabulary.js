// The words of all figures of the page, sent once, before any figure.

export const vocabulary = { words: null };
