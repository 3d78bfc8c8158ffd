/** What is wrong with a name, in words that follow "the key ..."; `undefined` when nothing is. */
export type Complaint = string | undefined;

const namePart = /^[A-Za-z0-9](?:[A-Za-z0-9_.-]*[A-Za-z0-9])?$/;
const dnsLabel = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/;

/** The longest name part and the longest label value, in characters. */
const longestName = 63;
const longestSubdomain = 253;

/** Dot-separated DNS labels, at most 253 characters: names of nodes, claims and most other objects. */
export const isDnsSubdomain = (text: string): boolean =>
  text.length <= longestSubdomain && text.split('.').every((label) => dnsLabel.test(label));

/**
 * A label, annotation or taint key: an optional DNS subdomain and a slash, then at most 63 characters
 * of letters, digits, `-`, `_` and `.`, alphanumeric at both ends.
 */
export function qualifiedNameComplaint(text: string): Complaint {
  const parts = text.split('/');
  if (parts.length > 2) return 'has more than one slash; at most a prefix and a name are allowed';
  const name = parts.at(-1) ?? '';
  const prefix = parts.length === 2 ? parts[0] : undefined;
  if (prefix === '') return 'has an empty prefix before the slash';
  if (prefix !== undefined && !isDnsSubdomain(prefix)) return `has a prefix that is not a DNS subdomain: ${prefix}`;
  if (name === '') return 'has an empty name part';
  if (name.length > longestName) return `has a name part longer than ${longestName} characters`;
  if (!namePart.test(name)) return 'has a name part with other characters than letters, digits, -, _ and . in between';
  return undefined;
}

/** A label value: empty, or as the name part of a key. */
export function labelValueComplaint(text: string): Complaint {
  if (text === '') return undefined;
  if (text.length > longestName) return `is longer than ${longestName} characters`;
  if (!namePart.test(text)) return 'may hold letters, digits, -, _ and . only, with a letter or digit at both ends';
  return undefined;
}
