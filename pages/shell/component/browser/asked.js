// A question to the server, by address.

// A question that is longer goes as a body: proxies refuse long addresses.
const LONGEST = 2000;
// What a visitor types goes as a body, too, and what names a file of theirs: logs and caches keep addresses.
const TYPED = ["text", "context", "model_text", "other_text", "tensors"];

/**
 * @param {string} path below the address of the app
 * @param {URLSearchParams} query
 * @param {AbortSignal} [signal]
 */
export async function asked(path, query, signal) {
  const address = new URL(path, document.baseURI);
  // What was shown before the last change is told, too.
  const before = new URLSearchParams(query.get("before") ?? "");
  const isTyped = TYPED.some((name) => query.has(name) || before.has(name));
  const isBody = query.toString().length > LONGEST || isTyped;
  if (!isBody) address.search = query.toString();
  const answer = await fetch(address, isBody ? { method: "POST", body: query, signal } : { signal });
  if (!answer.ok) throw Object.assign(new Error(await answer.text()), { status: answer.status });
  return answer;
}
