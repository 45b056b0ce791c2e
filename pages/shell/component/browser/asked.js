// A question to the server, by address.

// The longest question that is sent as an address. Longer ones are sent as a body, because proxies refuse long
// addresses.
const LONGEST = 2000;
// Settings that are sent as a body: texts that visitors type, and names of their files. Logs and caches keep addresses.
const TYPED = ["text", "context", "model_text", "other_text", "tensors"];

/**
 * @param {string} path below the address of the app
 * @param {URLSearchParams} query
 * @param {AbortSignal} [signal]
 */
export async function asked(path, query, signal) {
  const address = new URL(path, document.baseURI);
  // The settings before the last change may hold such a text as well.
  const before = new URLSearchParams(query.get("before") ?? "");
  const isTyped = TYPED.some((name) => query.has(name) || before.has(name));
  const isBody = query.toString().length > LONGEST || isTyped;
  if (!isBody) address.search = query.toString();
  const answer = await fetch(address, isBody ? { method: "POST", body: query, signal } : { signal });
  if (!answer.ok) throw Object.assign(new Error(await answer.text()), { status: answer.status });
  return answer;
}
