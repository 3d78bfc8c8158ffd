/**
 * Makes the id of something that belongs to a thing with an id: the same every time, so that it need not be kept. Ids of 17
 * hexadecimal digits, as EC2 has them.
 */
export function derivedId(prefix: string, from: string, part: string | number = ''): string {
  const text = `${prefix} ${from} ${part}`;
  return `${prefix}-0${hashHex(text, 0x811c9dc5)}${hashHex(text, 0x01000193)}`;
}

/** Hashes a text to eight hexadecimal digits (FNV-1a). */
function hashHex(text: string, seed: number): string {
  let hash = seed;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, '0');
}
