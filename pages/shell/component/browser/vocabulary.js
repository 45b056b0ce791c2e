// The words of all figures of the page, and the tokens along its axes: sent once, before any figure.

export const vocabulary = { words: null, labels: {} };
