/** More texts than any cluster has; clients that keep inventing new ones make the table start anew. */
const mostTexts = 2000;

/** A function of a text that remembers its results. */
export function oncePerText<T>(work: (text: string) => T): (text: string) => T {
  const known = new Map<string, { readonly result: T }>();
  return (text) => {
    const found = known.get(text);
    if (found !== undefined) return found.result;
    if (known.size >= mostTexts) known.clear();
    const result = work(text);
    known.set(text, { result });
    return result;
  };
}
