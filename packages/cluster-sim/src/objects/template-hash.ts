import { byTextOf, oncePerObject } from '@nodewright/apis';

/** Equal objects have the same text, whatever the order of their fields. */
export function canonicalText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null';
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  const sorted = fields.toSorted(byTextOf(([name]) => name));
  return `{${sorted.map(([name, field]) => `${JSON.stringify(name)}:${canonicalText(field)}`).join(',')}}`;
}

const safeLetters = 'bcdfghjklmnpqrstvwxz2456789';

/** A short name for a pod template, in the letters that Kubernetes gives to generated names. */
export const hashOfTemplate: (template: object) => string = oncePerObject((template: object) => {
  const decimal = String(fnv32a(canonicalText(template)));
  return Array.from(decimal, (digit) => safeLetters[(digit.codePointAt(0) ?? 0) % safeLetters.length]).join('');
});

function fnv32a(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return hash;
}
