import { createHash } from 'node:crypto';

/** The letters and digits of generated names: none of them can make a word. */
const alphabet = 'bcdfghjklmnpqrstvwxz2456789';
const length = 5;

/**
 * The name of a command's replacement, which follows from the command: a process that creates it again, because the answer to
 * the first time was lost, finds it there.
 * @param number which of its replacements, from 0
 */
export function replacementName(prefix: string, commandId: string, number: number): string {
  const digest = createHash('sha256').update(`${commandId} ${number}`).digest();
  return prefix + Array.from(digest.subarray(0, length), (byte) => alphabet[byte % alphabet.length]).join('');
}
